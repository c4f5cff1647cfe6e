"""Words that reveal the mood of a clause, in groups: how requests begin, what denies, what tells and supposes."""

from service_server.predict.words import word_set

OPENERS = word_set(
    """please pls plz kindly hey hi hello ok okay so well now then and also just quick quickly um uh er hmm oh yes yeah
    yep haha lol actually alright right thanks cheers sorry but again first finally next simply asap"""
)
_GRATEFUL = (
    *(
        f"{be} {very}{glad}"
        for be in ("i'd be", "i would be", "we'd be", "we would be")
        for very in ("", "most ", "very ", "so ")
        for glad in ("grateful", "thankful", "glad", "happy")
    ),
    *(f"{it} {great}" for it in ("it would be", "it'd be") for great in ("great", "nice", "good", "lovely", "kind")),
    *("i'd appreciate it", "i would appreciate it", "we'd appreciate it", "we would appreciate it"),
)
_ASKING = [
    tuple(phrase.split())
    for phrase in [
        *("would you mind", "would you be so kind as to", "would you be so kind and", "would you be able to"),
        *("are you able to", "is it possible to", "be so kind as to", "be so kind and", "do me a favor and"),
        *("do me a favour and", "can you", "could you", "will you", "would you", "can u", "could u", "cld u", "can ya"),
        *("can i get you to", "can i have you", "could i have you", "could i get you to", "may i ask you to"),
        *("can we get you to", "why don't you", "why dont you", "i'd like you to", "i would like you to"),
        *("i want you to", "i need you to", "we need you to", "we'd like you to", "we want you to", "i'd like to"),
        *("i would like to", "i'd love to", "i want to", "i wanna", "i need to", "i have to", "i've got to", "i gotta"),
        *("i got to", "we need to", "we want to", "we'd like to", "we would like to", "we have to", "we gotta"),
        *("need to", "want to", "gotta", "i'd like", "i would like", "i'd love", "i want", "i need", "we need"),
        *("we want", "we'd like", "we would like", "need", "let's", "lets", "let us", "go ahead and", "feel free to"),
        *("make sure to", "make sure you", "be sure to", "remember to", "don't forget to", "dont forget to"),
        *("do not forget to", "help me to", "help me", "try to", "you can", "you may", "you should", "time to"),
        *("i must", "we must", "if you could", "if you would"),
        *(f"{feeling} if you {would}" for feeling in _GRATEFUL for would in ("could", "would")),
    ]
]
ASKING = {first: [phrase for phrase in _ASKING if phrase[0] == first] for first, *_ in _ASKING}
"""Beginnings that ask for what follows them, by their first words."""
DENYING = word_set("don't dont not never avoid cannot can't cant no nobody neither nor without instead")
DISTURBING = word_set("pings notifications alerts interruptions sounds buzzing")
FORBIDDING = word_set("don't dont never not")
# What follows these is to be left as it is.
KEEPING = word_set("forget ignore wait refrain")
LEFT_ALONE = word_set("alone where as be it them untouched everything that this")
# "Stop deleting my comments" deletes none; "stop taking answers" does close a form.
ENDING = word_set("stop quit cease")
UNDONE = word_set("delete remove cancel close archive post send merge edit change move rename create add assign")
# A request to tell the speaker something changes nothing.
TELL_ME = frozenset(
    {
        ("tell", "me"),
        ("ask", "me"),
        ("check", "with", "me"),
        ("let", "me", "know"),
        ("let", "us", "know"),
        ("talk", "to", "me"),
    }
)
# A prompt that asks for one of these only wants to know something.
LEARNING = word_set("understand know learn ask hear wonder")
# Verbs of requests besides those whose class is known.
VERBS = word_set(
    """accept activate answer apply approve arrange ask assemble axe ban bin block bring build bump buy call carry
    change charge chase chop chuck clean clear collect confirm connect convert count credit deactivate decline
    delay deliver demote deny deploy dial disconnect dismiss ditch do downgrade drag dump duplicate empty erase
    escalate extend fill finalize fish fix flag fold follow forward freeze give grant hand hang have hide hook
    increase invoice join jot kick label leave let lift link lock log make merge migrate mute nudge nuke order
    overwrite pause pay peel pin place plan poke pop populate postpone prepare print process promote provide publish
    pull push quit react reactivate rebase record refund reject release relocate remind render repeat reply
    rerun resend reserve reset respond restart restore resume retitle retry return reverse revert review roll rotate
    run save scan scrap see shelve shift ship shove shred sign silence slot snooze solve split squash squeeze star start
    stick stop store strike subscribe summarize suspend swap sync tag take throw tick toggle toss track
    transcribe transfer translate trigger tuck turn unarchive unban unblock undelete undo unfreeze uninvite unlink
    unlock unmute unpause unpin unpublish unschedule untag upgrade upsert use verify void waive walk watch
    withdraw wrap write zap zip"""
)
QUESTION_WORDS = word_set(
    """how why who whom whose which what where when whats what's who's where's how's hows whos when's"""
)
AUXILIARIES = word_set(
    """is are was were am isn't aren't wasn't weren't isnt arent do does did doesn't didn't don't has have had hasn't
    haven't hadn't can could will would shall should may might must can't couldn't won't wouldn't shouldn't"""
)
ASKED_ABOUT = word_set("i we they it he she you there")  # "under the new rules do we …"
SUPPOSING = word_set(
    """if unless whenever when while once after before until till although because since suppose supposing imagine
    assuming whether in"""
)
# With these, a clause is a condition only if it has a verb: "after lunch" is not one.
ALSO_PREPOSITIONS = word_set("in after before since until till")
POLITE_CONDITION = word_set(
    "possible can could would will mind please chance moment time minute second sec free ready able get"
)
SUBJECTS = word_set(
    """i we you he she it they this that these those there someone somebody anyone anybody everyone everybody nobody
    nothing none i'm i'd i'll i've we're we'd we'll we've he's she's it's they're they've they'd they'll he'd she'd
    he'll she'll you're you'd you've that's there's im ive id ill hes shes"""
)
REPORTING = word_set(
    """said says saying asked asks told tells wrote writes replied suggested suggests thinks thought wants wanted claims
    insisted insists mentioned reckons announced"""
)
HYPOTHETICAL = word_set(
    """would could might may should maybe perhaps wish hope hoping thinking wondering guess suppose imagine if unless
    supposing imagining"""
)
WISHING = word_set("should could")
# "The lead must be deleted" asks for it, if it is said of this one, without a doubt and for now.
OBLIGING = [
    phrase.split() for phrase in ("must", "can", "may", "has to", "have to", "is to", "are to", "needs to", "need to")
]
NOT_OBLIGING = word_set(
    """not never no nobody already if unless once maybe perhaps think thinks guess believe suppose wonder either or by
    within until only when after as like soon later someday eventually"""
)
ANY = word_set("a an any every each some")
GONE = word_set("completely away altogether entirely now please immediately today")
TRASH = word_set("trash bin")
NUMBERED = word_set("order charge request report invoice post card bill transfer check call note")
# Participles that don't end in -ed.
PUT = word_set("gone put sent set cut shut hidden taken thrown given written undone withdrawn")
OF_LIMITS = word_set("allow allows allowed fit fits support supports cope handle")  # "how many boards does it allow"
SHOWN = word_set("it this that they these those both all")
THEMSELVES = word_set("himself herself myself ourselves themselves")
PONDERING = word_set("thinking wondering considering planning hoping trying guessing")
DOUBTING = word_set("maybe perhaps")
FINITE = AUXILIARIES | word_set(
    """sent made got gave took told said went came left lost found wrote kept put paid bought sold held met ran began
    broke hung thought brought spoke shut set reads seems happens happened wants needs says thinks stays goes works
    keeps looks costs means hopes i'm i'd i'll i've we're we'd we'll we've he's she's it's they're there's that's"""
)
SETTLED = word_set("solved resolved fixed finished completed lost")
PAST = word_set(
    """was were had did wasn't weren't hadn't didn't sent made got gave took told said went came left lost found wrote
    kept paid bought sold held met ran began broke hung thought brought spoke gone been already yesterday ago seems
    happens means nobody someone somebody set put let cut"""
)
DETERMINERS = word_set("a an the my our your his her their this that these those all every each some any its no")
PREPOSITIONS = word_set("in on to at by for from of with under about into onto via as per off")
OBJECTS = word_set("me us him them it")
LET_BE = word_set("me it be him her them")  # "let me think", "let it be"
PARTICLES = word_set("up down off out back in on away")
WHICH_ONE = word_set("that which who where")  # what follows says which one is meant
CALLED = word_set("called named titled")
NO_VERBS = word_set(
    "such quite what many both half so as like than whatever whoever wherever or nor maybe perhaps keep"
)
