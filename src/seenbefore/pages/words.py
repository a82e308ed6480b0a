"""What stands in the place of an article, in the words of sites: data for the quality gate. Folded before use."""

from __future__ import annotations

from typing import Final

SCRIPT: Final = (
    "enable JavaScript", "enabled JavaScript", "turn on JavaScript", "JavaScript is disabled",
    "JavaScript is not enabled", "JavaScript is required", "requires JavaScript", "doesn't work without JavaScript",
    "does not work without JavaScript", "JavaScript aktivieren", "aktivieren Sie JavaScript", "JavaScript einschalten",
    "JavaScript ist deaktiviert", "JavaScript ist nicht aktiviert", "benötigt JavaScript", "activer JavaScript",
    "activez JavaScript", "JavaScript est désactivé", "JavaScript doit être activé", "active JavaScript para",
    "habilite JavaScript", "habilitar JavaScript", "activa JavaScript", "activar JavaScript",
    "JavaScript está desactivado", "abilita JavaScript", "abilitare JavaScript", "attiva JavaScript",
    "attivare JavaScript", "JavaScript è disabilitato", "ative o JavaScript", "habilite o JavaScript",
    "JavaScript está desativado", "JavaScriptを有効", "JavaScriptが無効", "启用JavaScript", "开启JavaScript",
    "啟用JavaScript", "開啟JavaScript", "자바스크립트를 활성화", "자바스크립트를 사용하도록", "включите JavaScript",
    "włącz JavaScript", "schakel JavaScript in", "aktivera JavaScript", "aktivér JavaScript", "slå på JavaScript",
    "ota JavaScript käyttöön", "povolte JavaScript", "zapněte JavaScript", "JavaScript'i etkinleştirin",
)  # fmt: skip

ROBOT: Final = (
    "verify you are human", "verifying you are human", "checking your browser", "are you a robot",
    "unusual traffic from your", "complete the captcha", "complete the security check", "you have been blocked",
    "bestätigen Sie dass Sie ein Mensch", "vérifiez que vous êtes humain", "ロボットではない", "请完成安全验证",
    "请输入验证码", "請完成安全驗證", "로봇이 아닙니다",
)  # fmt: skip

CONSENT: Final = (
    "we value your privacy", "we use cookies", "uses cookies", "accept all cookies", "accept cookies",
    "manage your cookie", "our partners store", "before you continue", "consent to the use of", "privacy settings",
    "Wir verwenden Cookies", "Wir nutzen Cookies", "Wir setzen Cookies", "verwendet Cookies", "nutzt Cookies",
    "Wir und unsere Partner", "unsere Partner verwenden", "alle Cookies akzeptieren",
    "Cookies zustimmen", "Privatsphäre-Einstellungen",
    "Ihre Zustimmung", "mit Werbung und Tracking", "Nous utilisons des cookies",
    "utilise des cookies", "nous et nos partenaires", "partenaires utilisons", "accepter les cookies",
    "nous respectons votre vie privée", "votre consentement", "utilizamos cookies", "utiliza cookies",
    "nosotros y nuestros socios", "aceptar todas las cookies",
    "aceptar cookies", "su consentimiento", "utilizziamo i cookie", "utilizziamo cookie",
    "utilizza i cookie", "utilizza cookie", "noi e i nostri partner", "accetta i cookie", "il tuo consenso",
    "usamos cookies", "nós e os nossos parceiros", "nós e nossos parceiros", "aceitar cookies", "wij gebruiken cookies",
    "wij en onze partners", "gebruikt cookies", "cookies accepteren", "używamy plików cookie",
    "クッキーを使用", "Cookieを使用", "Cookieの使用に同意", "Cookieを利用して",
    "すべてのCookieに同意", "同意して続行", "使用Cookie", "接受Cookie",
    "同意并继续", "쿠키를 사용", "используем файлы cookie", "vi använder cookies", "vi bruger cookies",
    "vi bruker informasjonskapsler",
)  # fmt: skip

LOGIN: Final = (
    "log in to continue", "login to continue", "sign in to continue", "please log in", "please sign in",
    "you must be logged in", "you need to log in", "you need to be logged in", "forgot your password",
    "Bitte melden Sie sich an", "Sie müssen angemeldet sein", "Sie müssen sich anmelden", "Passwort vergessen",
    "veuillez vous connecter", "connectez-vous pour", "vous devez être connecté", "mot de passe oublié",
    "inicia sesión para", "inicie sesión para", "debes iniciar sesión", "has olvidado tu contraseña",
    "olvidó su contraseña", "accedi per continuare", "effettua il login", "devi effettuare l'accesso",
    "password dimenticata", "faça login para", "esqueceu a senha", "log in om door te gaan", "wachtwoord vergeten",
    "zaloguj się aby", "nie pamiętasz hasła", "logga in för att", "glömt lösenord", "logg inn for å", "glemt passord",
    "続けるにはログイン", "ログインしてください", "ログインが必要です", "パスワードをお忘れ", "请登录", "请先登录",
    "登录后继续", "忘记密码", "請登入", "請先登入", "登入後繼續", "忘記密碼", "로그인이 필요", "로그인해 주세요",
    "비밀번호를 잊으", "войдите чтобы", "забыли пароль",
)  # fmt: skip
"""A form in the place of the page. Behind the beginning of an article it is a paywall."""

PAYWALL: Final = (
    "subscribe to continue", "subscribe to read", "continue reading with a subscription", "already a subscriber",
    "this article is for subscribers", "for subscribers only", "subscribers only", "become a member to read",
    "log in to read", "sign in to read", "log in to continue", "sign in to continue", "you have reached your limit",
    "free articles left", "to read the full article", "to read the full story", "unlock this article",
    "Jetzt abonnieren und weiterlesen", "weiterlesen mit", "nur für Abonnenten", "Exklusiv für Abonnenten",
    "Sie möchten weiterlesen", "Um diesen Artikel zu lesen", "Bereits Abonnent", "mit einem Abo lesen",
    "réservé aux abonnés", "article réservé", "abonnez-vous pour lire", "déjà abonné", "pour lire la suite",
    "contenido exclusivo para suscriptores", "suscríbete para seguir leyendo", "solo para suscriptores",
    "ya eres suscriptor", "contenuto riservato agli abbonati", "abbonati per leggere", "sei già abbonato",
    "exclusivo para assinantes", "já é assinante", "alleen voor abonnees", "al abonnee", "tylko dla prenumeratorów",
    "czytaj dalej z subskrypcją", "会員限定", "有料会員", "続きを読むには", "この記事は会員",
    "ログインして続きを読む", "残り文字", "订阅后阅读", "仅限订阅", "订阅用户", "付费阅读",
    "登录后阅读全文", "登录后查看", "会员专享",
    "訂閱以閱讀", "登入後閱讀", "付費閱讀", "구독자 전용", "로그인 후 이용", "только для подписчиков",
    "оформите подписку", "för att läsa vidare", "kun for abonnenter", "for abonnenter", "läs vidare med",
    "jo tilaaja", "vain tilaajille",
)  # fmt: skip

ERROR_TITLES: Final = (
    "page not found", "404 not found", "error 404", "404 error", "404 page", "not found", "page unavailable",
    "page doesn't exist", "page does not exist", "page no longer exists", "can't be found", "cannot be found",
    "access denied", "403 forbidden", "forbidden", "internal server error", "service unavailable",
    "service temporarily unavailable", "server error", "410 gone", "bad gateway",
    "gateway timeout", "site under maintenance", "down for maintenance", "something went wrong",
    "an error occurred", "domain for sale", "account suspended", "website is no longer available", "just a moment",
    "Seite nicht gefunden", "Seite existiert nicht",
    "Seite nicht mehr verfügbar", "Seite ist nicht mehr verfügbar", "Artikel ist nicht mehr verfügbar",
    "Artikel nicht mehr verfügbar", "Inhalt nicht mehr verfügbar", "Inhalt ist nicht mehr verfügbar",
    "Beitrag nicht mehr verfügbar", "leider nicht mehr verfügbar", "Fehler 404", "Zugriff verweigert",
    "page introuvable", "page non trouvée", "erreur 404", "accès refusé", "page n'existe plus", "page n'existe pas",
    "página no encontrada",
    "no encontrado", "error 404", "acceso denegado", "pagina non trovata", "errore 404", "accesso negato",
    "página não encontrada", "erro 404", "pagina niet gevonden", "strona nie została znaleziona", "nie znaleziono",
    "sidan hittades inte", "siden ble ikke funnet", "siden findes ikke", "sivua ei löytynyt", "stránka nenalezena",
    "страница не найдена", "ошибка 404", "доступ запрещен", "sayfa bulunamadı", "ページが見つかりません",
    "お探しのページ", "ページは存在しません", "該当する記事は見つかりません", "アクセスが拒否", "エラーが発生",
    "メンテナンス中", "页面不存在", "页面未找到", "找不到页面", "访问的页面不存在", "文章已删除", "内容已被删除",
    "访问被拒绝", "頁面不存在", "找不到網頁", "找不到頁面", "페이지를 찾을 수 없습니다", "존재하지 않는 페이지",
    "접근이 거부",
)  # fmt: skip

ABSTRACTS: Final = (
    "abstract", "summary", "zusammenfassung", "résumé", "resumen", "riassunto", "resumo", "samenvatting",
    "streszczenie", "аннотация", "要旨", "概要", "抄録", "摘要", "초록",
)  # fmt: skip
"""Headings of an abstract."""
