"""Words around dates, in the languages of pages: months, and what says published or changed. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ..dates.names import MONTHS

# One line per month: what dates.names does not have.
_MORE = """
januára ianuarie ocak января январь янв січня ιανουαρίου ιανουαριος tammikuuta tammikuu siječnja januára január gennaio ledna januari يناير jan janv januar
februára februarie şubat февраля февраль фев лютого φεβρουαρίου helmikuuta helmikuu veljače február február února فبراير feb febr
marca martie mart марта март мар березня μαρτίου maaliskuuta maaliskuu ožujka március března مارس maret
apríla aprilie nisan апреля апрель апр квітня απριλίου huhtikuuta huhtikuu travnja április dubna أبريل april
mája mai mayıs мая май травня μαΐου toukokuuta toukokuu svibnja május května مايو mei
júna iunie haziran июня июнь июн червня ιουνίου kesäkuuta kesäkuu lipnja június června يونيو juni
júla iulie temmuz июля июль июл липня ιουλίου heinäkuuta heinäkuu srpnja július července يوليو juli
augusta august ağustos августа август авг серпня αυγούστου elokuuta elokuu kolovoza augusztus srpna أغسطس agustus
septembra septembrie eylül сентября сентябрь сен вересня σεπτεμβρίου syyskuuta syyskuu rujna szeptember září سبتمبر september
októbra octombrie ekim октября октябрь окт жовтня οκτωβρίου lokakuuta lokakuu listopada október října أكتوبر oktober
novembra noiembrie kasım ноября ноябрь ноя листопада νοεμβρίου marraskuuta marraskuu studenoga november listopadu نوفمبر november
decembra decembrie aralık декабря декабрь дек грудня δεκεμβρίου joulukuuta joulukuu prosinca december prosince ديسمبر desember
"""


def _months() -> dict[str, int]:
    found = dict(MONTHS)
    for number, line in enumerate(_MORE.strip().splitlines(), 1):
        for name in line.split():
            found.setdefault(name, number)
    del found["listopada"]  # November in Polish, October in Croatian
    found["listopada"] = 11
    return found


MONTH_NAMES: Final[Mapping[str, int]] = MappingProxyType(_months())

PUBLISHED: Final = (
    "published", "posted", "first published", "publication date", "date published", "release date", "submitted on",
    "created", "written on", "filed", "originally published", "veröffentlicht", "publiziert", "erschienen", "erstellt",
    "eingestellt", "gepostet", "geschrieben", "veröffentlichung", "datum", "publié", "paru", "mis en ligne", "posté",
    "créé", "rédigé", "publicado", "publicada", "fecha", "creado", "pubblicato", "pubblicata", "inserito", "data",
    "postato", "publicerad", "publicerat", "publisert", "offentliggjort", "udgivet", "julkaistu", "geplaatst",
    "gepubliceerd", "gepost", "opublikowano", "opublikowany", "dodano", "data publikacji", "publikováno", "vydáno",
    "zveřejněno", "publikované", "zverejnené", "közzétéve", "megjelent", "publicat", "yayınlanma", "yayınlandı",
    "eklenme", "опубликовано", "дата публикации", "размещено", "добавлено", "опубліковано", "δημοσιεύτηκε", "дата",
    "objavljeno", "terbit", "diterbitkan", "đăng", "公開日", "公開", "掲載日", "掲載", "投稿日", "投稿", "配信", "発行日", "発表日",
    "作成日", "发布时间", "发布于", "发布日期", "发表于", "发表时间", "发布", "發布", "發表", "發佈", "刊登", "입력", "등록", "게시", "작성일", "نشر",
)  # fmt: skip

MODIFIED: Final = (
    "updated", "last updated", "last modified", "modified", "last edited", "last revised", "revised", "reviewed",
    "aktualisiert", "geändert", "letzte änderung", "zuletzt", "stand", "bearbeitet", "überarbeitet", "update",
    "mis à jour", "mise à jour", "modifié", "màj", "actualizado", "actualizada", "modificado", "última actualización",
    "aggiornato", "aggiornata", "modifica", "atualizado", "atualizada", "bijgewerkt", "gewijzigd", "uppdaterad",
    "uppdaterat", "oppdatert", "opdateret", "päivitetty", "muokattu", "aktualizacja", "zaktualizowano", "aktualizováno",
    "upraveno", "aktualizované", "frissítve", "módosítva", "actualizat", "güncelleme", "güncellendi", "обновлено",
    "изменено", "оновлено", "ενημερώθηκε", "ažurirano", "diperbarui", "cập nhật", "更新日", "最終更新", "更新", "修正",
    "更新时间", "更新於", "수정", "최종수정", "تحديث",
)  # fmt: skip

NOT_THE_PAGE: Final = (
    "copyright", "©", "all rights", "alle rechte", "comment", "kommentar", "commentaire", "comentario", "commento",
    "reply", "antwort", "says:", "wrote", "member since", "joined", "registered", "mitglied seit", "registriert",
    "born", "geboren", "geb.", "retrieved", "accessed", "abgerufen", "consulté", "event", "termin", "when:", "wann",
    "deadline", "until", "bis zum", "valid", "gültig", "expires", "einsendeschluss", "today", "heute ist", "コメント",
    "評論", "评论", "댓글",
)  # fmt: skip
"""Words before a date that make it the date of something else."""
