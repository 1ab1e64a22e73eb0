"""Words that hold a sentence together and name nothing: the closed classes of English.

Articles, pronouns, prepositions, conjunctions, auxiliaries, degree words, after Quirk et al., A Comprehensive Grammar
of the English Language (1985), sections 2.34-2.45, with the spellings that captions use.
"""

from __future__ import annotations

_WORDS = """
a an the this that these those some any no every each either neither both all half such what which whose whatever
whichever
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one oneself who whom someone anyone everyone nobody somebody anybody
everybody something anything everything nothing
about above across after against along amid amidst among amongst around as at atop before behind below beneath beside
besides between beyond but by despite down during except for from in inside into like near nearby of off on onto
opposite out outside over past per since than through throughout till to toward towards under underneath until unto up
upon via with within without
and or nor so yet if unless because although though while whereas whether when whenever where wherever why how once
am is are was were be been being do does did doing done have has had having can could may might must shall should will
would ought
isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't cannot couldn't won't wouldn't shouldn't
i'm you're he's she's it's we're they're i've you've we've they've i'll you'll we'll they'll that's there's let's
not only also too very just even still again ever never always often there here then now thus else more most less least
much many few little several enough quite rather almost
"""
FUNCTION_WORDS = frozenset(_WORDS.split())

# Those that no other language of the Latin script writes the same way as a common word ("a", "in", "of", "on", "is",
# "are", "her", "me", "no" and "so" all do), so that one of them tells English.
_ONLY_ENGLISH = """
the this that these those what which whose my our your his their them they she we us you it's its himself herself
with from and for by into onto over under through across behind beside between beneath against without within
around along among about above below before after during until toward towards upon near when while where why how
because although though was were been being does did doing have has had having could should would might
not very just still there here then now always never every each both some any something everything nothing
"""
ONLY_ENGLISH = frozenset(_ONLY_ENGLISH.split())

# Words that deny, in English and in the languages that captions are most often written in.
_NEGATIONS = """
no not never without none nobody nothing nowhere neither nor cannot cant dont doesnt didnt isnt arent wasnt werent hasnt
havent hadnt wont wouldnt couldnt shouldnt aint hardly barely
nicht kein keine keinen keiner ohne nie niemand nichts pas sans jamais rien sin nunca nadie nada non senza mai nessuno
sem não nem niet geen zonder nooit inte utan aldrig ikke uden uten aldri nie bez не нет без ни никогда
"""
NEGATIONS = frozenset(_NEGATIONS.split())
