"""Whether a Japanese sentence commands something, which only its end says."""

import re
from collections.abc import Sequence

from service_server.predict.languages.commands import READING
from service_server.predict.languages.japanese_tokens import Token

# Behind a form in て, or the noun of a verb, these ask for it to be done.
_POLITE = (
    r"(?:おいて|もらって|頂いて|いただいて"
    r"|くださいませんか|下さいませんか|ください(?:ませ)?|下さい(?:ませ)?|ちょうだい|頂戴"
    r"|くれますか|くれませんか|くれない|くれると(?:助かる|嬉しい|うれしい)|くれる|くれ"
    r"|もらえますか|もらえませんか|もらえると(?:助かります|嬉しいです)?|もらえる|もらえない|もらっていい(?:ですか)?"
    r"|いただけますか|いただけませんか|いただけますでしょうか"
    r"|いただけると(?:助かります|嬉しいです|うれしいです|幸いです|ありがたいです)?"
    r"|いただきたい|もらいたい|ほしい|欲しい|んだけど|んですが|のですが|です"
    r"|よろしく(?:お願いします|です)?|宜しくお願いします|どうぞ|助かります"
    r"|をお願い|お願い|いたします|致します|します|できますか|頼む|頼みます|ね|よ|な|の)"
)
_SURU = (
    r"して|しておいて|しといて|したい(?:です|んですが|のですが|んだけど)?|しろ|せよ|よろしく|頼む|頼みます"
    r"|をお願い|お願い|をして|をしたい|してほしい|してもらえ"
)
_END = r"[\s　。．.！!？?」:：]*$"
_COMMANDS_BY_NOUN = re.compile(
    rf"^(?:{_SURU})(?:{_POLITE})*{_END}|^(?:を?お願い(?:します|いたします|できますか)?)?{_END}"
)
_COMMANDS_BY_FORM = re.compile(rf"^(?:{_POLITE})*{_END}")
_BY_STEM = re.compile(
    rf"^(?:(?:ください|下さい)(?:ませ)?|たい(?:です|んです|んですが|のですが|んだけど)?|なさい){_END}"
)
_WANTS = re.compile(rf"^(?:です|んです|んですが|のですが|と思います)?{_END}")
# Wherever one of these stands outside quotation marks, a sentence tells, denies or asks something.
NEVER = re.compile(
    r"とあ(?:る|り|った)|とのこと|ないで|なくて|ません(?!か)|ない(?:こと|よう|で|ん|の|[。！!\s]|$)|ずに|禁止"
    r"|やめ|止めろ|いけない|いけません|だめ|ダメ|駄目|必要は"
    r"|と(?:言|いう話|書|聞|思|伝え|頼ま|指示)[^、]*(?:た|る|ます|ました|います|あった|あり)|と言"
    r"|って(?:言|書|いう|聞|頼)|ように(?:と|言|書|頼)|らしい|そうです|ようです|かもしれ|ました|でした"
    r"|(?:し|っ|い|ん|れ|き|え|け|せ)た(?!い|ら)(?:[。！!？?のよねから\s]|$)"
    r"|て(?:い|お|しま)(?:る|ます|た|ました|って)|でいる|られ|された|される"
    r"|(?:たら|れば|場合|とき|ときは|なら)[、,]|なぜ|どうして|なんで|どうやって|どうすれば|どうしたら|方法"
    r"|すべき|べきで|ほうがいい|方がいい|しますか|するか|しても(?:いい|よ|良|大丈夫)|していい|ていいですか|てもいい"
)
# Even where a sentence ends with a command.
_DENIES = re.compile(
    r"ないで|ないよう|ずに[、。\s]|禁止|(?:たら|れば|場合は?|ときは?|時は?|なら)[、,]|なぜ|どうして|どうやって"
    r"|どうすれば|どうしたら|必要は|やめ"
)
_QUESTION = re.compile(
    r"(?:か|の|かな|かしら)?[？?]\s*$|(?:ですか|ますか|でしょうか|かな)。?\s*$"
    r"|(?:誰|何|どれ|どこ|いつ|いくつ|いくら)[？?。]?\s*$"
)
_ASKS = re.compile(
    r"(?:(?:くれ|もらえ|いただけ)(?:ますか|ませんか|る|ない)|くださいませんか|いただけますでしょうか|できますか"
    r"|もらっていい(?:ですか)?)[。？?\s]*$"
)


def commanded(tokens: Sequence[Token], prompt: str, end: int, spoken: str) -> tuple[bool, int | None]:
    """Return whether a sentence commands, by its end, and the place of its last verb."""
    verbs = [at for at, token in enumerate(tokens) if token.verb and not is_politeness(tokens, at)]
    if not verbs:
        return False, None
    last = verbs[-1]
    ends = _ends_a_command(tokens[last], prompt[tokens[last].end : end])
    if not ends:
        for at in verbs:
            behind, comma, details = prompt[tokens[at].end : end].partition("、")
            if comma and _ends_a_command(tokens[at], behind) and "は" in details and not NEVER.search(details):
                last, ends = at, True  # "チケットを作って、優先度は高"
                break
    token = tokens[last]
    asks = _QUESTION.search(spoken) is not None and _ASKS.search(spoken) is None
    never = _DENIES.search(_ASKS.sub("", spoken)) is not None
    asks = asks or (any(each.question for each in tokens) and token.verb not in READING)
    if token.form == "wish":
        asks = False
    return ends and not asks and not never, last


def _ends_a_command(token: Token, behind: str) -> bool:
    """Whether a verb commands by what stands behind it, up to the end of its sentence."""
    if token.form == "noun":
        return _COMMANDS_BY_NOUN.match(behind) is not None
    if token.form == "te":
        return _COMMANDS_BY_FORM.match(behind) is not None and not re.match(r"い|お(?!い|願)|ま|も|は", behind)
    if token.form == "wish":
        return _WANTS.match(behind) is not None or _COMMANDS_BY_FORM.match(behind) is not None
    return token.form == "stem" and _BY_STEM.match(behind) is not None


def is_politeness(tokens: Sequence[Token], at: int) -> bool:
    """Whether ください only asks for what stands before it: 削除してください, unlike 一覧をください."""
    return tokens[at].verb == "give" and (at == 0 or tokens[at - 1].role != "object")


def tells(tokens: Sequence[Token], spoken: str) -> bool:
    """Whether a sentence that commands nothing tells, asks or denies something, so that it is no label either."""
    has_verb = any(token.verb for token in tokens)
    return has_verb or NEVER.search(spoken) is not None or _QUESTION.search(spoken) is not None
