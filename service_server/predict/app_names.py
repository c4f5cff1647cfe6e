"""Which apps a prompt names: those of the catalogue, and well-known ones that the catalogue lacks."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from service_server.predict.mentions import Kind
from service_server.predict.reading import Reading
from service_server.predict.words import Word, identifier_words, words_of

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


@frozen
class NamedApps:
    """The apps of the catalogue a prompt names, and whether it asks for one the catalogue lacks."""

    apps: frozenset[str]
    absent: bool


class AppNames:
    """Finds app names in prompts; `titles` maps the name of each app of the catalogue to its title."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self._apps: dict[tuple[str, ...], set[str]] = {}
        for name, title in titles.items():
            if not name:
                continue
            spellings = {_phrase(words_of(title)), _phrase(identifier_words(name))}
            spellings |= {("".join(spelling),) for spelling in spellings}
            for phrase in spellings - {(), ("",)}:
                self._apps.setdefault(phrase, set()).add(name)
        self._absent = {phrase for phrase in _phrases(_WELL_KNOWN) if phrase not in self._apps}
        self._absent_if_capital = {phrase for phrase in _phrases(_EVERYDAY_WORDS) if phrase not in self._apps}
        phrases = {*self._apps, *self._absent, *self._absent_if_capital}
        self._longest = max(map(len, phrases), default=0)

    def named_in(self, reading: Reading) -> NamedApps:
        """Return the apps that a prompt names outside its data and topic; a longer name hides one inside it."""
        topics = reading.of_kind(Kind.TOPIC)
        words = [word for word in reading.request if not any(topic.overlaps(word.start, word.end) for topic in topics)]
        apps: set[str] = set()
        absent = False
        at = 0
        while at < len(words):
            length = self._match(words, at, reading.prompt, apps)
            if length < 0:
                absent = absent or at == 0 or words[at - 1].folded in _POINTS_AT_AN_APP
            at += abs(length) or 1
        return NamedApps(frozenset(apps), absent)

    def _match(self, words: Sequence[Word], at: int, prompt: str, apps: set[str]) -> int:
        """Return how many words from `at` name an app, negative for one that is absent; add the others to `apps`."""
        for length in range(min(self._longest, len(words) - at), 0, -1):
            phrase = _phrase(words[at : at + length])
            if phrase in self._apps:
                apps |= self._apps[phrase]
                return length
            capital = prompt[words[at].start].isupper()
            if phrase in self._absent or (capital and at > 0 and phrase in self._absent_if_capital):
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


def _phrase(words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(word.folded for word in words)


def _phrases(names: str) -> Iterable[tuple[str, ...]]:
    return (_phrase(words_of(name)) for name in names.replace("\n", "").split("|"))


_KNOWN = frozenset({*_phrases(_WELL_KNOWN), *_phrases(_EVERYDAY_WORDS)})
