"""Words that mark a text as one for adults, or as an insult to people.

Only words with that one meaning: "cock", "pussy willow" and "a tit on a branch" are birds and plants, and a flag that
is mostly wrong is soon not read.
"""

from __future__ import annotations

_WORDS = """
bdsm blowjob blowjobs bukkake camgirl camgirls creampie cuckold cumshot cumshots cunt cunts deepthroat dildo dildos
erotic erotica faggot faggots fellatio fetish fisting fuck fucked fucker fucking fucks gangbang gangbangs handjob
handjobs hentai incest jizz masturbate masturbates masturbating masturbation milf milfs motherfucker nigger niggers
nsfw nude nudes nudism nudist nudists nudity onlyfans orgasm orgasms orgy penis porn porno pornhub pornographic
pornography pornos pornstar pornstars rape raped slut sluts slutty striptease threesome threesomes tits titties topless
twerking upskirt vagina vulva whore whores xnxx xvideos xxx
"""
ADULT = frozenset(_WORDS.split())
