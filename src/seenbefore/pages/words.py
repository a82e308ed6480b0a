"""What stands in the place of an article, in the words of sites: data for the quality gate. Folded before use."""

from __future__ import annotations

from typing import Final

SCRIPT: Final = (
    "enable JavaScript", "JavaScript is disabled", "JavaScript is not enabled", "JavaScript is required",
    "requires JavaScript", "JavaScript aktivieren", "JavaScript ist deaktiviert", "activer JavaScript",
    "JavaScript est désactivé", "active JavaScript", "habilite JavaScript", "abilita JavaScript",
    "JavaScriptを有効に", "JavaScriptが無効", "启用JavaScript", "开启JavaScript", "啟用JavaScript",
    "開啟JavaScript", "자바스크립트를 활성화", "включите JavaScript", "włącz JavaScript", "schakel JavaScript in",
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
    "Wir verwenden Cookies", "alle Cookies akzeptieren", "Cookies zustimmen", "Privatsphäre-Einstellungen",
    "Ihre Zustimmung", "mit Werbung und Tracking", "Nous utilisons des cookies", "accepter les cookies",
    "nous respectons votre vie privée", "votre consentement", "utilizamos cookies", "aceptar todas las cookies",
    "aceptar cookies", "su consentimiento", "utilizziamo i cookie", "accetta i cookie", "il tuo consenso",
    "usamos cookies", "aceitar cookies", "wij gebruiken cookies", "cookies accepteren", "używamy plików cookie",
    "クッキーを使用", "Cookieを使用", "Cookieの使用に同意", "同意して続行", "使用Cookie", "接受Cookie",
    "同意并继续", "쿠키를 사용", "используем файлы cookie", "vi använder cookies", "vi bruger cookies",
    "vi bruker informasjonskapsler",
)  # fmt: skip

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
    "ログインして続きを読む", "残り文字", "订阅后阅读", "付费阅读", "登录后阅读全文", "登录后查看", "会员专享",
    "訂閱以閱讀", "登入後閱讀", "付費閱讀", "구독자 전용", "로그인 후 이용", "только для подписчиков",
    "оформите подписку", "för att läsa vidare", "kun for abonnenter", "for abonnenter", "läs vidare med",
    "jo tilaaja", "vain tilaajille",
)  # fmt: skip

ERROR_TITLES: Final = (
    "page not found", "404 not found", "error 404", "404 error", "404 page", "not found", "page unavailable",
    "page doesn't exist", "page does not exist", "page no longer exists", "can't be found", "cannot be found",
    "access denied", "403 forbidden", "forbidden", "internal server error", "service unavailable", "bad gateway",
    "gateway timeout", "site under maintenance", "down for maintenance", "something went wrong",
    "an error occurred", "domain for sale", "account suspended", "website is no longer available", "just a moment",
    "Seite nicht gefunden", "Seite existiert nicht", "nicht mehr verfügbar", "Fehler 404", "Zugriff verweigert",
    "page introuvable", "page non trouvée", "erreur 404", "accès refusé", "n'existe plus", "página no encontrada",
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
