"""Which apps a prompt names: those of the catalogue, and well-known ones that the catalogue lacks."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise

from attrs import frozen

from service_server.predict.mentions import Kind
from service_server.predict.reading import Reading, outside
from service_server.predict.words import STOP_WORDS, Word, identifier_words, stem, word_set, words_of

# Apps people ask for by name. If a prompt names one that the catalogue lacks, no other app must serve it.
# Names that are also everyday words count only if they are capitalised.
_WELL_KNOWN = """
activecampaign|adyen|airtable|amplitude|apollo.io|asana|auth0|aws|azure devops|bamboohr|basecamp|bigcommerce|bitbucket|
braintree|calendly|campaign monitor|chargebee|circleci|clickup|close crm|cloudflare|coda|confluence|constant contact|
convertkit|copper crm|datadog|deel|discord|docusign|dropbox|drupal|ebay|etsy|eventbrite|evernote|facebook|figma|
firebase|freshbooks|freshdesk|freshsales|ghost cms|github|gitlab|gmail|gong.io|google analytics|google calendar|
google contacts|google docs|google drive|google forms|google maps|google meet|google sheets|google slides|google tasks|
greenhouse.io|gusto|helpscout|help scout|hubspot|instagram|jenkins|jira|jotform|klaviyo|kustomer|lemlist|linkedin|
magento|mailchimp|mailgun|mailjet|marketo|mattermost|messenger|microsoft teams|mixpanel|mongodb|netlify|netsuite|
onedrive|onesignal|outlook|paddle|pagerduty|paypal|pinterest|pipedrive|posthog|quickbooks|razorpay|reddit|
rippling|salesforce|segment.io|sendgrid|sentry|servicenow|sharepoint|shopify|shortcut.com|slack|snowflake|
soundcloud|spotify|squarespace|stripe|supabase|surveymonkey|telegram|tiktok|todoist|trello|twilio|twitch|twitter|
typeform|vercel|webflow|wechat|whatsapp|woocommerce|wordpress|workday|wrike|xero|youtrack|youtube|zapier|zendesk|
zoho|zoom
"""
_EVERYDAY_WORDS = """
box|buffer|drift|front|intercom|lever|linear|loom|miro|notion|plaid|ramp|square|teams|wave
"""
# A well-known name counts as the app only behind one of these; elsewhere it may be what the request is about.
_POINTS_AT_AN_APP = frozenset(
    ["in", "on", "to", "from", "with", "via", "using", "my", "our", "the", "a", "an", "at", "into", "of", "through"]
)
_AUXILIARIES = frozenset(["is", "are", "does", "do", "can", "has"])
_SAID_OF_APPS = word_set(
    """support supports allow allows offer offers cost charge take count still really down free safe secure encrypted
    compatible able going better worse"""
)
_PARTS_OF_APPS = word_set("plan plans version trial tier api app limit limits discount pricing feature features mode")
_POINTS_AT_ITS_NAME = _POINTS_AT_AN_APP - {"the", "a", "an", "of"}
# A word with one letter too few, too many or exchanged is this much alike (difflib); "strips" and "stripe" are less.
_LIKE_ENOUGH = 0.85
_SHORTEST_MISSPELT = 5


@frozen
class NamedApps:
    """The apps of the catalogue a prompt names, and whether it asks for one the catalogue lacks."""

    apps: frozenset[str]
    absent: bool


class AppNames:
    """Finds app names in prompts; `names` are what each app of the catalogue is called, by its name."""

    def __init__(self, names: Mapping[str, Collection[str]]) -> None:
        self._apps: dict[tuple[str, ...], set[str]] = {}
        self._apps_if_capital: dict[tuple[str, ...], set[str]] = {}
        for name, called in names.items():
            for phrase in _spellings(name, called) if name else ():
                self._apps.setdefault(phrase, set()).add(name)
            for phrase in filter(None, (_phrase(identifier_words(each)) for each in called if name)):
                # "Hub Spot"; "linked in" may be said of anything.
                with_capitals = not STOP_WORDS.isdisjoint(phrase)
                (self._apps_if_capital if with_capitals else self._apps).setdefault(phrase, set()).add(name)
        self._absent = self._lacking(_WELL_KNOWN, self._apps)
        self._absent_if_capital = self._lacking(_EVERYDAY_WORDS, self._apps_if_capital)
        phrases = {*self._apps, *self._apps_if_capital, *self._absent, *self._absent_if_capital}
        self._longest = max(map(len, phrases), default=0)
        self._first_words = {word for word, *_ in filter(None, phrases)}

    def _lacking(self, known: str, named: dict[tuple[str, ...], set[str]]) -> set[tuple[str, ...]]:
        """Return the known names that no app has; what an app's name begins or ends with is `named` as that app."""
        absent = {phrase for phrase in _phrases(known) if phrase not in self._apps}
        for phrase in list(absent):
            size = len(phrase)  # "zoho" for Zoho CRM, "Teams" for Microsoft Teams
            parts = (apps for each, apps in self._apps.items() if phrase in (each[:size], each[-size:]))
            if apps := set[str]().union(*parts):
                named.setdefault(phrase, set()).update(apps)
                absent.remove(phrase)
        return absent

    def named_in(self, reading: Reading) -> NamedApps:
        """Return the apps that a prompt names outside its data and topic; a longer name hides one inside it."""
        topics, codes = reading.of_kind(Kind.TOPIC), reading.of_kind(Kind.NUMBER, Kind.IDENTIFIER)
        asked, no_codes = frozenset(reading.request), frozenset(outside(reading.words, codes))
        spoken = [word for word in reading.words if word in asked or word not in no_codes]  # "Dynamics 365", "ga4"
        words = outside(spoken, topics)
        apps: set[str] = set()
        absent = False
        at = 0
        while at < len(words):
            length = self._match(words, at, reading.prompt, apps)
            if length < 0:
                absent = absent or at == 0 or words[at - 1].folded in _POINTS_AT_AN_APP
            at += abs(length) or 1
        if not apps and not absent:
            apps.update(*(self._misspelt(word, before) for before, word in pairwise(words)))
        return NamedApps(frozenset(apps), absent)

    def is_asked_about(self, reading: Reading) -> bool:
        """Whether a prompt asks about an app itself: "does Google Calendar support …", "is Kinto still maintained"."""
        words = reading.words
        if words and words[0].folded in ("what", "how"):  # "how much does Klaviyo cost"
            words = words[2 if words[1:2] and words[1].folded == "much" else 1 :]
        if len(words) < 3 or words[0].folded not in _AUXILIARIES:
            return False
        length = self._match(words, 1, reading.prompt, set())
        said = [word.folded for word in words[1 + abs(length) :]] if length else []
        match said:
            case ["a" | "an", *_]:  # "is Airtable a database or a spreadsheet"
                return words[0].folded == "is"
            case ["and", *_]:  # "can Xero and my bank talk to each other"
                return words[0].folded in ("can", "do")
            case ["have" | "has" | "got" | "get", *rest]:  # "does Typeform have a free plan"
                return not _PARTS_OF_APPS.isdisjoint(rest[:4])
        return bool(said) and said[0] in _SAID_OF_APPS

    def _misspelt(self, word: Word, before: Word) -> set[str]:
        """Return the apps that a word behind "in" or "my" is nearly the name of: "outlok"; "stripes" are none."""
        if before.folded not in _POINTS_AT_ITS_NAME or len(word.folded) < _SHORTEST_MISSPELT:
            return set()
        like = [name for (name, *more) in self._apps if not more and name[0] == word.folded[0]]
        nearest = get_close_matches(word.folded, like, 1, _LIKE_ENOUGH)
        return self._apps[(nearest[0],)] if nearest and stem(nearest[0]) != word.stem else set()

    def _match(self, words: Sequence[Word], at: int, prompt: str, apps: set[str]) -> int:
        """Return how many words from `at` name an app, negative for one that is absent; add the others to `apps`."""
        if words[at].folded not in self._first_words:
            return 0
        for length in range(min(self._longest, len(words) - at), 0, -1):
            said = words[at : at + length]
            phrase = _phrase(said)
            capital = at > 0 and all(prompt[word.start].isupper() for word in said)
            if found := self._apps.get(phrase) or (capital and self._apps_if_capital.get(phrase)):
                apps |= found
                return length
            if phrase in self._absent or (capital and phrase in self._absent_if_capital):
                return -length
        return 0


def known_app(name: str) -> str:
    """Return the well-known app that a function's name (words with hyphens) begins with, empty where it is none."""
    words = name.split("-")
    for length in range(min(3, len(words) - 1), 0, -1):
        app = "-".join(words[:length])
        if _phrase(identifier_words(app)) in _KNOWN:
            return app
    return ""


def _spellings(name: str, called: Iterable[str]) -> set[tuple[str, ...]]:
    """Return the ways to write what an app is called: "google sheets", "googlesheets", "google sheet"."""
    found = {_phrase(identifier_words(name)), *(_phrase(words_of(each)) for each in called)} - {(), ("",)}
    singular = {(*phrase[:-1], phrase[-1].removesuffix("s")) for phrase in found if len(phrase) > 1}
    return {*found, *singular, *(("".join(phrase),) for phrase in found)}


def _phrase(words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(word.folded for word in words)


def _phrases(names: str) -> Iterable[tuple[str, ...]]:
    return (_phrase(words_of(name)) for name in names.replace("\n", "").split("|"))


_KNOWN = frozenset({*_phrases(_WELL_KNOWN), *_phrases(_EVERYDAY_WORDS)})
