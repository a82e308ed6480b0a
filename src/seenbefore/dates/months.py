"""The months as they are written in running text, in the languages of the web's news. Data.

A spelling that names two months in two languages stands in neither of the common lists but in ``MONTHS_OF``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .names import MONTHS

# Per language the months in order, separated by spaces; a stroke separates spellings of one month.
_WRITTEN: Final = r"""
de jänner|jän|jaenner feber mär|maerz|mrz apr mai jun jul aug sept okt nov dez
no januar februar mars april mai juni juli august september oktober november desember|des
da januar februar marts april maj juni juli august september oktober november december
sv januari februari mars april maj juni juli augusti september oktober november december
is janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember
fi tammikuuta|tammikuu|tammi helmikuuta|helmikuu|helmi maaliskuuta|maaliskuu|maalis huhtikuuta|huhtikuu|huhti
   toukokuuta|toukokuu|touko kesäkuuta|kesäkuu|kesä heinäkuuta|heinäkuu|heinä elokuuta|elokuu|elo
   syyskuuta|syyskuu|syys lokakuuta|lokakuu|loka marraskuuta|marraskuu|marras joulukuuta|joulukuu|joulu
et jaanuar|jaan veebruar|veebr märts aprill mai juuni juuli august september|sept oktoober|okt november
   detsember|dets
lv janvāris|janvārī februāris|februārī marts|martā aprīlis|aprīlī maijs|maijā jūnijs|jūnijā jūlijs|jūlijā
   augusts|augustā septembris|septembrī oktobris|oktobrī novembris|novembrī decembris|decembrī
lt sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio
pl stycznia|styczeń|sty lutego|luty|lut marca|marzec kwietnia|kwiecień|kwi maja|maj czerwca|czerwiec|cze
   lipca|lipiec|lip sierpnia|sierpień|sie września|wrzesień|wrz października|październik|paź|października
   listopada grudnia|grudzień|gru
cs ledna|leden|led února|únor|úno března|březen|bře dubna|duben|dub května|květen|kvě června|červen|čvn
   července|červenec|čvc srpna|srpen|srp září|zář října|říjen|říj listopadu prosince|prosinec|pro
sk januára|január februára|február marca|marec apríla|apríl mája|máj júna|jún júla|júl augusta|august
   septembra|september októbra|október novembra|november decembra|december
sl januarja|januar februarja|februar marca|marec aprila|april maja|maj junija|junij julija|julij avgusta|avgust
   septembra|september oktobra|oktober novembra|november decembra|december
hr siječnja|siječanj veljače|veljača ožujka|ožujak travnja|travanj svibnja|svibanj lipnja|lipanj srpnja|srpanj
   kolovoza|kolovoz rujna|rujan _ studenoga|studenog|studeni prosinca|prosinac
sr јануар|јануара|januara фебруар|фебруара|februara март|марта|marta април|априла мај|маја јун|јуна јул|јула
   август|августа|avgusta септембар|септембра|septembar октобар|октобра|oktobar новембар|новембра|novembar
   децембар|децембра|decembar
hu január|januári|jan február|februári|febr március|márc április|ápr május|máj június|jún július|júl
   augusztus|aug szeptember|szept október|okt november|nov december|dec
ro ianuarie|ian februarie|febr martie aprilie mai iunie|iun iulie|iul august septembrie|sept octombrie|oct
   noiembrie|noi|nov decembrie|dec
tr ocak|oca şubat|şub mart nisan|nis mayıs haziran|haz temmuz|tem ağustos|ağu eylül|eyl ekim|eki kasım|kas
   aralık|ara
ru января|январь|янв февраля|февраль|фев марта|март|мар апреля|апрель|апр мая|май июня|июнь|июн июля|июль|июл
   августа|август|авг сентября|сентябрь|сен|сент октября|октябрь|окт ноября|ноябрь|ноя|нояб декабря|декабрь|дек
uk січня|січень|січ лютого|лютий|лют березня|березень|бер квітня|квітень|кві травня|травень|тра
   червня|червень|чер липня|липень|лип серпня|серпень|сер вересня|вересень|вер жовтня|жовтень|жов
   листопада|листопад|лис грудня|грудень|гру
be студзеня лютага сакавіка красавіка _ чэрвеня ліпеня жніўня верасня кастрычніка лістапада снежня
bg януари|яну февруари март април май юни юли август септември октомври ноември декември
el ιανουαρίου|ιανουάριος|ιαν φεβρουαρίου|φεβρουάριος|φεβ μαρτίου|μάρτιος|μαρ απριλίου|απρίλιος|απρ
   μαΐου|μάιος|μαΐ|μάι|μαϊ ιουνίου|ιούνιος|ιουν ιουλίου|ιούλιος|ιουλ αυγούστου|αύγουστος|αυγ
   σεπτεμβρίου|σεπτέμβριος|σεπ|σεπτ οκτωβρίου|οκτώβριος|οκτ νοεμβρίου|νοέμβριος|νοε|νοεμ
   δεκεμβρίου|δεκέμβριος|δεκ
fr janvier|janv|jan février|fevrier|févr|fév mars|mar avril|avr mai juin|jun juillet|juil août|aout|aoû
   septembre|sept octobre|oct novembre|nov décembre|decembre|déc
es enero|ene febrero|feb marzo|mar abril|abr mayo|may junio|jun julio|jul agosto|ago septiembre|setiembre|sept
   octubre|oct noviembre|nov diciembre|dic
ca gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
it gennaio|gen febbraio|feb marzo|mar aprile|apr maggio|mag giugno|giu luglio|lug agosto|ago settembre|set|sett
   ottobre|ott novembre|nov dicembre|dic
pt janeiro|jan fevereiro|fev março|marco|mar abril|abr maio|mai junho|jun julho|jul agosto|ago setembro|set
   outubro|out novembro|nov dezembro|dez
nl januari|jan februari|feb maart|mrt april|apr mei juni|jun juli|jul augustus|aug september|sep oktober|okt
   november|nov december|dec
id januari februari maret april mei juni juli agustus september oktober november desember
ar يناير|كانون\x20الثاني فبراير|شباط مارس|آذار أبريل|إبريل|ابريل|نيسان مايو|أيار يونيو|حزيران يوليو|تموز
   أغسطس|اغسطس|آب سبتمبر|أيلول أكتوبر|اكتوبر|تشرين\x20الأول نوفمبر|تشرين\x20الثاني ديسمبر|كانون\x20الأول
fa ژانویه|ژانویهٔ فوریه|فوریهٔ _ آوریل مه ژوئن ژوئیه|جولای اوت سپتامبر اکتبر نوامبر دسامبر
he בינואר|ינואר בפברואר|פברואר במרץ|מרץ באפריל|אפריל במאי|מאי ביוני|יוני ביולי|יולי באוגוסט|אוגוסט
   בספטמבר|ספטמבר באוקטובר|אוקטובר בנובמבר|נובמבר בדצמבר|דצמבר
hi जनवरी फरवरी|फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर|सितम्बर अक्टूबर|अक्तूबर नवंबर|नवम्बर दिसंबर|दिसम्बर
"""

_OWN: Final = {"hr": "listopad listopada 10", "cs": "listopad 11", "pl": "listopad listopada lis 11"}
"""In Croatian this word means October, in Czech and Polish November."""


def _read() -> tuple[dict[str, int], dict[str, Mapping[str, int]]]:
    by_language: dict[str, dict[str, int]] = {}
    for line in _WRITTEN.strip().replace("\n   ", " ").splitlines():
        language, *months = line.split(" ")
        names = by_language[language] = {}
        for number, spellings in enumerate(months, start=1):
            for name in spellings.split("|"):
                if name != "_":
                    names[unicodedata.normalize("NFC", name.replace("\\x20", " ").casefold())] = number
    for language, line in _OWN.items():
        *own, own_number = line.split()
        by_language[language].update(dict.fromkeys(own, int(own_number)))
    common: dict[str, int] = dict(MONTHS)
    clashing: set[str] = set()
    for names in by_language.values():
        for name, number in names.items():
            if common.setdefault(name, number) != number:
                clashing.add(name)
    for name in clashing:
        common.pop(name)
    return common, {language: MappingProxyType(names) for language, names in by_language.items()}


_COMMON, _BY_LANGUAGE = _read()

MONTHS_WRITTEN: Final[Mapping[str, int]] = MappingProxyType(_COMMON)
"""Spelling in lower case → month, for spellings that mean one month in every language."""

MONTHS_OF: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(_BY_LANGUAGE)
"""Language → its own spellings."""
