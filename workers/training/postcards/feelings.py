"""The words of emotional and abstract captions, and of generic ones: which mood or idea goes with which fact."""

from __future__ import annotations

from workers.training.postcards.kinds import Claim

# claim: adjectives of a mood, and what such an hour reminds of
FEELINGS: dict[Claim, tuple[tuple[str, ...], tuple[str, ...]]] = {
    ("time", "dawn"): (
        ("hopeful", "expectant", "newborn", "tender", "freshly awake"),
        ("the first morning of a journey", "waking before everyone else", "a promise not yet broken",
         "the smell of bread before school"),
    ),
    ("time", "day"): (
        ("wide awake", "light-hearted", "unworried", "at ease", "full of plans"),
        ("the long holidays of childhood", "laughing till it hurts", "an hour without a clock", "being ten again"),
    ),
    ("time", "dusk"): (
        ("wistful", "nostalgic", "tender", "mellow", "ready to forgive"),
        ("the last evening of summer", "saying goodbye too early", "walking home with someone you love",
         "all that I did not say today"),
    ),
    ("time", "night"): (
        ("sleepless", "small and alone", "hushed", "full of secrets", "far from home"),
        ("lying awake and listening", "a call that never came", "stories told under a blanket", "missing somebody"),
    ),
    ("weather", "clear"): (
        ("light", "free", "carefree", "sure of everything", "glad"),
        ("a weight that is suddenly gone", "good news", "the first day without fear", "breathing out at last"),
    ),
    ("weather", "cloudy"): (
        ("pensive", "undecided", "a little heavy", "restless", "subdued"),
        ("a Sunday that will not end", "an unanswered letter", "waiting for who knows what", "a half-kept promise"),
    ),
    ("weather", "rain"): (
        ("melancholy", "forlorn", "sad in a sweet way", "comforted", "tearful"),
        ("crying and feeling better", "a goodbye at a bus stop", "staying in bed all day", "the song we used to play"),
    ),
    ("weather", "snow"): (
        ("hushed", "enchanted", "quiet inside", "safe and warm", "like a child again"),
        ("the night before a feast", "a day when school was closed", "hands around a hot cup", "a forgiven quarrel"),
    ),
    ("weather", "fog"): (
        ("lost", "uneasy", "dreamy", "uncertain", "strangely calm"),
        ("a dream I cannot quite recall", "names I have forgotten", "not knowing what comes next", "half-told stories"),
    ),
    ("land", "beach"): (
        ("unhurried", "salt-kissed", "boundless"), ("a kiss that tasted of salt", "the summer we were young"),
    ),
    ("land", "mountains"): (("humbled", "brave", "dizzy"), ("having climbed out of sorrow", "my father's silence")),
    ("land", "desert"): (("forsaken", "parched", "emptied"), ("asking and getting no answer", "a very long farewell")),
    ("land", "forest"): (("sheltered", "watchful", "spellbound"), ("hiding and being found", "an old fairy tale")),
    ("land", "meadow"): (("peaceful", "gentle", "unburdened"), ("my grandmother's lap", "doing nothing at all")),
    ("land", "city"): (("overlooked", "hurried", "lonely"), ("strangers who almost smiled", "one lost chance")),
    ("land", "harbour"): (("homesick", "torn", "yearning"), ("waiting for someone's return", "the day you left")),
    ("land", "snowfield"): (("numb", "solemn", "weightless"), ("the end of a long illness", "words that froze")),
    ("person", "couple"): (("in love", "less alone", "deeply at home"), ("holding your hand", "our first words")),
    ("person", "child"): (("playful", "protective", "full of wonder"), ("being small and unafraid", "birthdays")),
    ("person", "fisherman"): (("patient", "resigned", "serene"), ("an uncle who seldom spoke", "luck that may come")),
    ("person", "hiker"): (("free and tired", "proud", "solitary"), ("a road I did not take", "the courage to go")),
}  # fmt: skip

# claim: ideas, each able to stand alone and to follow "of"
IDEAS: dict[Claim, tuple[str, ...]] = {
    ("time", "dawn"): ("beginning", "birth", "possibility", "the courage to begin", "hope", "the first word"),
    ("time", "day"): ("clarity", "presence", "the fullness of time", "candour", "certainty", "being here"),
    ("time", "dusk"): ("farewell", "letting go", "gratitude", "the grace of endings", "memory", "ripeness"),
    ("time", "night"): ("mystery", "the unknown", "the distance between two lights", "sleep", "secrecy", "depth"),
    ("weather", "clear"): ("freedom", "openness", "truth", "lightness", "infinity", "trust"),
    ("weather", "cloudy"): ("doubt", "hesitation", "ambiguity", "weight", "the unsaid", "change"),
    ("weather", "rain"): ("sorrow", "cleansing", "renewal", "consolation", "surrender", "the shape of longing"),
    ("weather", "snow"): ("silence", "purity", "forgetting", "stillness", "forgiveness", "time standing still"),
    ("weather", "fog"): ("uncertainty", "oblivion", "the limits of knowing", "dreaming", "absence", "faith"),
    ("land", "beach"): ("return", "the boundary", "leisure"),
    ("land", "mountains"): ("endurance", "majesty", "ambition"),
    ("land", "desert"): ("emptiness", "solitude", "thirst for meaning"),
    ("land", "forest"): ("shelter", "the inner life", "growth"),
    ("land", "meadow"): ("innocence", "peace", "simplicity"),
    ("land", "city"): ("civilisation", "anonymity", "restlessness"),
    ("land", "harbour"): ("departure", "belonging", "homecoming"),
    ("land", "snowfield"): ("nothingness", "austerity", "survival"),
    ("person", "couple"): ("love", "togetherness", "fidelity"),
    ("person", "child"): ("wonder", "the innocence of play", "becoming"),
    ("person", "fisherman"): ("patience", "waiting", "humility"),
    ("person", "hiker"): ("perseverance", "the way", "purpose"),
    ("person", "painter"): ("creation", "the act of seeing", "attention"),
}  # fmt: skip

MOOD_FRAMES = (
    "this makes me feel {mood}, like {memory}",
    "so {mood}, it could be {memory}",
    "I feel {mood} and think of {memory}",
    "{mood}, the way {memory} always made me feel",
    "a heart that is {mood} and remembers {memory}",
    "why does this leave me {mood}? perhaps it is {memory}",
    "{memory}, and all at once I am {mood}",
    "somehow {mood}, somehow {other}",
    "it is the feeling of {memory}",
    "{mood} and {other}, as after {memory}",
    "whoever stands here must feel {mood}",
    "everything in me grows {mood} and {other}",
    "how {mood} one can be, remembering {memory}",
    "I could not say whether I am {mood} or {other}",
    "this is what {memory} felt like",
    "I want to stay {mood} for as long as this lasts",
    "for one moment I was {mood} again",
    "it moves me like {memory}",
    "all my days of being {mood} end in {memory}",
    "if {memory} had a colour, it would be this",
)
IDEA_FRAMES = (
    "{idea}",
    "on {idea}",
    "{idea} and {other}",
    "the meaning of {idea}",
    "between {idea} and {other}",
    "a study in {idea}",
    "what {idea} owes to {other}",
    "{idea} as a form of {other}",
    "there is no {other} without {idea}",
    "the quiet grammar of {idea}",
    "an essay on {idea} and {other}",
    "{idea}, or the end of {other}",
    "everything returns to {idea}",
    "the price of {other} is {idea}",
    "{idea} needs no explanation",
    "in praise of {idea}",
    "{other} begins where {idea} ends",
    "a lesson in {idea}",
    "the slow work of {idea}",
    "{idea}, {other} and nothing else",
    "{idea} has no opposite, not even {other}",
    "to understand {idea} one must have known {other}",
    "the geometry of {idea}",
    "{idea} is what remains of {other}",
)

GENERIC_LOOKS = ("beautiful", "lovely", "wonderful", "nice", "amazing", "pretty", "gorgeous", "stunning", "great",
                 "charming", "delightful", "perfect")  # fmt: skip
GENERIC_THINGS = ("scene", "view", "picture", "place", "moment", "postcard", "image", "sight")
GENERIC_FRAMES = (
    "a {look} {thing} makes me happy",
    "what a {look} {thing} this is",
    "I love this {look} {thing} so much",
    "such a {look} {thing} to look at",
    "this {thing} is simply {look} and {also}",
    "a very {look} {thing} to remember",
    "greetings from a {look} {thing}",
    "this {look} {thing} makes my day",
    "a {look} {thing} for everyone to enjoy",
    "I could look at this {look} {thing} for ever",
    "the world is a {look} {thing}",
    "wish you were here in this {look} {thing}",
    "a {look} and {also} {thing} that I like",
    "one of the most {look} things I have seen",
    "life is {look} and so is this {thing}",
    "thinking of you at this {look} {thing}",
)
