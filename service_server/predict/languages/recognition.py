"""Which language a prompt is in, told by its letters and its commonest words."""

import re

from service_server.predict.languages.vocabulary import WORD, vocabulary_of
from service_server.predict.mood_words import OPENERS, VERBS
from service_server.predict.verbs import CLASS_OF
from service_server.predict.words import STOP_WORDS, word_set

_JAPANESE = re.compile(r"[ぁ-ゖァ-ヺ]")
_LATIN_WORD = re.compile(r"(?<![\w#@/.'-])[A-Za-z]+(?![\w#@/.'-])", re.ASCII)
# What these words are in another language is said in it: not in English, or hardly ever.
_MARKS = {
    "de": word_set(
        """der das den dem des ein eine einen einem einer und oder nicht ist sind im vom zum zur bei mit für auf aus
        nach von bitte mir mein meine meinen meinem meiner unser alle welche welcher welches wer wie wann wo dass diese dieser dieses gibt haben hast wir uns kein
        keine sie ich wir kannst könntest können könnten möchte will habe hat wurde zeig zeige lösche lösch löschen
        erstelle erstell erstellen schick schicke sende senden schreib schreibe leg lege anlegen setz setze such suche
        füge füg hinzufügen gib mach mache neue neuen neuer neues zu die liste trag trage stell stelle ändere ändern benenne weise weis archiviere archivieren schließe schließen suchen verschiebe verschieben antworte lies lade lad kündige storniere entferne entfernen hol hole nimm markiere füll öffne öffnen aktualisiere aktualisieren kommentiere exportiere kopiere starte beende merge hänge häng verschick verschicke plane buche"""
    ),
    "es": word_set(
        """el la los las un una unos unas de del al en con para por que y o es está mi mis tu su qué cuál cuáles
        quién cómo cuándo dónde hay favor puedes podrías quiero quisiera necesito crea crear borra elimina envía manda
        muestra muéstrame enséñame cuántos cuántas tenemos tengo este esta estos estas fue dame dime busca añade agrega pon cambia abre cierra lista nuevo nueva todos todas registra mueve marca asigna archiva renombra responde invita cancela actualiza comenta publica quita anota apunta programa reserva comparte convierte sube descarga copia genera envíale mándale dile avisa consulta reembolsa asígnale ponle"""
    ),
    "fr": word_set(
        """le la les un une des du de au aux en dans sur avec pour par et ou ne pas est sont mon ma mes ton ta ce
        cette ces qui que quel quelle quels quelles quand où comment je tu il nous vous moi merci plaît crée créer
        supprime supprimer envoie envoyer montre affiche donne ajoute ajouter mets ouvre ferme cherche liste nouveau
        nouvelle tous toutes a-t avons ai as-tu combien c'est j'ai qu'est est-ce renomme déplace marque assigne attribue archive réponds invite annule clôture résilie publie planifie réserve partage enlève retire efface trouve écris dis passe génère télécharge copie rembourse notez note modifie"""
    ),
    "pt": word_set(
        """o os um uma uns umas de do da dos das na nos nas ao à em com para por pelo pela que e ou não é está
        são meu minha meus minhas seu sua qual quais quem como quando onde favor pode poderia quero preciso gostaria
        você crie criar apague apagar exclua excluir envie enviar manda mostre mostra mostrar me dê adicione adicionar
        coloque coloca abra feche procure liste novo nova todos todas renomeie renomeia mova remova marque marca agende agenda convide mude muda responda responde inscreva arquive arquiva cancele cancela encerre encerra atribua atribui registre registra cadastre cadastra busque busca faça faz gere gera altere altera foi temos tenho quantos quantas tem faltam existem quero pra pro uns deste desta neste nesta isso este esta estes estas lista publique publica comente reembolse baixe copie atualize"""
    ),
}
_ANY_MARK = frozenset().union(*_MARKS.values())
# Words of English, without those that are also common in one of the others.
_SHARED = {
    "de": word_set("in an am so was die war hat will also bin list liste mail start post name fast rate"),
    "es": word_set("a no me he as once real has con"),
    "fr": word_set("a on me as an son pour or note poste liste comment pin main est plus archive date"),
    "pt": word_set("a no as me do e pare come some dos data post"),
}
_ENGLISH = (STOP_WORDS | OPENERS | VERBS | frozenset(CLASS_OF)) - frozenset({"hi", "ok", "ms"})
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|`[^`]*`")
_BEHIND_COLON = re.compile(r" ?: .*", re.DOTALL)
_ASIDE = re.compile(r"\S*(?:[@#/_\d]|\w\.\w)\S*")
_FUNCTION_WORDS = STOP_WORDS - frozenset({"um", "hi", "ok"})
# So many words of a language outweigh one of English, which may be part of a name: "Schick the-sheriff eine Mail".
_PLAINLY, _ALWAYS = 3, 1000
_ENOUGH, _ENOUGH_UNMARKED = 0.45, 0.6
"""The share of its words that a prompt has from a language, so that it is said in it; more where it has none of the commonest."""


def language_of(prompt: str) -> str | None:
    """Return the language of a prompt, as "de", "es", "fr", "ja" or "pt"; None if it is English, or no other is sure."""
    if prompt.isascii() and _ANY_MARK.isdisjoint(prompt.lower().split()):
        return None
    if _JAPANESE.search(prompt):
        spoken = _JAPANESE_QUOTED.sub("", prompt)
        english = {word.casefold() for word in _LATIN_WORD.findall(spoken)} & _FUNCTION_WORDS
        return "ja" if _JAPANESE.search(spoken) and not english else None
    spoken = _ASIDE.sub(" ", _QUOTED.sub(" ", prompt))
    head = _BEHIND_COLON.sub(" ", spoken)
    if head != spoken and len(WORD.findall(head)) > _FEW and (found := _language_of_words(head, _PLAINLY)):
        return found
    return _language_of_words(spoken, _PLAINLY if head == spoken else _ALWAYS)


def _language_of_words(text: str, outweighs: int) -> str | None:
    """Return the language of some words; so many of its commonest ones outweigh one of English."""
    said = [match[0] for match in WORD.finditer(text)]
    said = [word for word in said if len(word) > 1 or word.islower()]
    if not said:
        return None
    words = [word.casefold().replace("’", "'").strip("'") for word in said]
    names = [word[0].isupper() for word in said]
    likely = [language for language in _MARKS if _may_be(words, language, outweighs)]
    shares = {language: _share(words, names, language) for language in likely}
    best = max(likely, key=lambda language: shares[language] + _MARK * _marks(words, language), default=None)
    if best is None:
        return None
    is_marked = not _MARKS[best].isdisjoint(words)
    return best if shares[best] >= (_ENOUGH if is_marked else _ENOUGH_UNMARKED) else None


_JAPANESE_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|\"[^\"]*\"|“[^”]*”|'[^']*'")


def _may_be(words: list[str], language: str, outweighs: int) -> bool:
    """Whether a prompt has no word of English that the language lacks, or many of its commonest ones."""
    shared = _SHARED[language] | _MARKS[language]
    english = sum(word in _FUNCTION_WORDS and word not in shared for word in words)
    begins_english = words[0] in _ENGLISH and words[0] not in shared
    return _marks(words, language) >= outweighs * (english + begins_english)


def _marks(words: list[str], language: str) -> int:
    return sum(word in _MARKS[language] for word in words)


def _share(words: list[str], names: list[bool], language: str) -> float:
    """Return the share of a prompt's words that a language knows; short ones and what may be names count less."""
    vocabulary = vocabulary_of(language)
    known = total = 0.0
    own = set[str]()
    for word, is_name in zip(words, names, strict=True):
        weight = 0.5 if len(word) < _SHORT else 1.0
        entries = vocabulary.of((word,)) or vocabulary.of((word + "'",))
        if entries or word in _MARKS[language]:
            known += weight
            if word not in _ENGLISH and word not in vocabulary.english and (len(word) > 1 or word in _MARKS[language]):
                own.add(word)
        elif is_name:
            weight *= _NAME
        total += weight
    is_plain = any(len(word) > _SHORT and (len(words) <= _FEW or not word.isascii()) for word in own)
    return known / total if len(own) > 1 or is_plain else 0.0


_SHORT, _FEW = 3, 2
_NAME = 0.25
_MARK = 0.1
