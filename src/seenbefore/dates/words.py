"""Words that say what a date beside them is: of publication, of a change, or of something else. Data.

They are looked for in all languages at once: pages often name their language wrongly, and none of these words means the
opposite elsewhere. Stems are enough, since languages bend them (veröffentlicht, veröffentlichte).
"""

from __future__ import annotations

import re
from typing import Final

_PUBLISHED: Final = """
publish publication\\s+date|date\\s+of\\s+publication|date\\s+de\\s+publication posted|post\\s+date
date\\s+posted released\\s+on|release\\s+date written|submitted issued\\s+on|date\\s+of\\s+issue created
added\\s+on
first\\s+appeared date\\s+added pub\\s?date
veröffentlich publiziert erschien erstell geschrieben gepostet|eingestellt verfasst|publik|online\\s+seit
freigegeben
publié mis\\s+en\\s+ligne|mise\\s+en\\s+ligne paru|écrit|rédigé|posté|diffusé
publicad|publicaci|publicaç|escrito|creado|colgado pubblica|postato|scritto|inserito|inviato
gepubliceerd geplaatst|verschenen|geschreven publicera|publisert|publiceret|offentliggjort|udgivet|skrevet
lagt\\s+ut|inlagd|skapad|oprettet
julkaistu|julkaisupäivä|kirjoitettu|luotu avaldatud|postitatud publicēts|paskelbta|publikuota
opublikowan|publikacj|dodan|data\\s+dodania|utworzon publikov|zveřejn|vydán|vloženo|vytvořeno|uverejnen
zverejnen|pridané
megjelen|közzé|publikál|feltöltve|létrehozva publicat\\b|postat|scris yayın|yayım|eklenme|oluşturulma
giriş\\s+tarihi
опублик|публикац|размещен|добавлен|написан опубл|публікац|додано|розміщено|створено публикуван|објав|објављено
objavljen|objavlj|objavil δημοσ|ανάρτηση|αναρτήθηκε|καταχώρηση terbit|diterbitkan|dipublikasikan
ngày\\s+đăng|đăng\\s+ngày|xuất\\s+bản
公開|掲載|投稿|配信日|配信|発行|作成日|登録日|発売日前 发布|发表|發布|發佈|發表|刊登|发稿|出版
입력|등록|게시|작성|발행|승인|기사입력
نشر|تاريخ\\s+النشر|كتب|أضيف انتشار|منتشر|تاریخ\\s+ثبت פורסם|נכתב प्रकाशित
"""

_MODIFIED: Final = """
updat modifi edited|revis|last\\s+change|changed|amended|as\\s+of|last\\s+review
aktualis aktuali[sz] geändert|änderung|stand\\b|bearbeitet|überarbeitet|zuletzt
mis\\s+à\\s+jour|mise\\s+à\\s+jour|màj|maj\\b actuali[zs]ad|actualizaci|última\\s+mod aggiorna|ultima\\s+mod
atualiza|última\\s+alteração bijgewerkt|gewijzigd|laatst uppdatera|oppdater|opdater|ændret|endret|ändrad|senast
sist\\s
päivitetty|muokattu zaktualizowan|aktualizacj|zmodyfikowan|ostatnia\\s+zmiana aktualiz|upraveno|změn
frissít|módosít actualizat güncel|değiştirilme обновл|изменен|измен оновлен|змінен ажурира|актуализ
ažurira|izmijen|posljednja\\s+izmjena ενημέρωση|ενημερώθηκε|τροποποι diperbarui cập\\s+nhật
更新|修正|改訂|最終 수정|업데이트|최종 تحديث|تعديل به\\s?روز|ویرایش עודכן अपडेट
"""

_GENERIC: Final = """
date datum fecha data|data\\s+e dato päivämäärä|pvm tarih дата ημερομηνία tanggal ngày 日付 日期|时间|時間
날짜 تاریخ|تاريخ תאריך दिनांक
"""

_OTHER: Final = """
© copyright born|geboren|née|nacido|died|gestorben valid|gültig
until|through|starting|deadline|frist|expires accessed|abgerufen|retrieved|consulté|zugriff
joined|registriert|mitglied\\s+seit|member\\s+since|dabei\\s+seit
veranstaltung|termin|event|wann|when|beginn|einlass|kinostart|konzert|vom|bis|ab|seit|since|dal|depuis
releases?\\s+on gelesen|last\\s+visit|besucht print|druck|ausgedruckt heute\\s+ist|today
foto|photo|bild|image crédit|credit|quelle|source|version|effective|photograph
reviewed\\s+by|join\\s+us|recorded|filmed|rsvp|takes\\s+place|held|doors|opens|kicks\\s+off|save\\s+the\\s+date|scheduled
bewerbungsschluss|einsendeschluss|anmeldeschluss|stichtag|findet|aufgenommen
rendez-vous|limite|évén\\w+|inscription\\w* evento|inscripci\\w+|plazo|celebra\\w*
scadenza|evento|iscrizion\\w+ wydarzen\\w+|termin\\w* konec|uzávěrka
проведени\\w+|мероприяти\\w+|срок|дедлайн etkinlik|son\\s+başvuru
開催|締切|締め切り|発売|撮影|公演|開幕|収録 (?<![稿開載信録新成])日時
活动|活動|报名|報名|截止|举行|舉行|开幕|演出
행사|마감|개최|접수|(?<![록성행시])일시 引用|访问|訪問|閲覧|検索日
"""


def _any(words: str, *, whole: bool = False) -> re.Pattern[str]:
    """Match a word of a list where one begins, or everywhere in scripts that put no space between words."""
    parts = [part for given in words.split() for part in given.split("|")]
    spaced = [part for part in parts if part[0] < "\u0590" and part[0] != "©"]
    other = [part for part in parts if part not in spaced]
    end = r"\b" if whole else ""
    return re.compile("|".join([rf"\b(?:{'|'.join(spaced)}){end}", *other]), re.IGNORECASE)


SAYS_PUBLISHED: Final = _any(_PUBLISHED)
"""Finds a word for publication."""

SAYS_MODIFIED: Final = _any(_MODIFIED)
"""Finds a word for a change, and for "as of"."""

SAYS_DATE: Final = re.compile(
    r"(?:\A|[\n|·•/(,;–-])\s*(?:" + "|".join(_GENERIC.split()) + r")\b[\s:：.-]*(?:[^\W\d]+[,.]\s*)?\Z", re.IGNORECASE
)
"""Finds the word "date" directly before one, which means publication where nothing else is said."""

SAYS_SOME_DATE: Final = re.compile(
    r"\b\w*(?:date|datum|data|dato|fecha|päivä|datę|дата|tarihi?)\b|日期|日付|날짜", re.IGNORECASE
)
"""Finds the word "date" with anything before it: "Filing date" is another one than "Date"."""

SAYS_OTHER: Final = _any(_OTHER, whole=True)
"""Finds a word for something else that has a day."""
