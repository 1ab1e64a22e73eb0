"""Function words of other languages than English: articles, pronouns, prepositions, conjunctions, auxiliaries.

The closed classes of the languages that captions of the web are most often written in. Some of them are other words in
English: "die", "man" and "hat" are function words of German alone.
"""

from __future__ import annotations

_WORDS = """
der die das den dem des ein eine einen einem einer eines und oder aber in im ins an am ans auf aus bei beim mit nach
von vom zu zum zur über unter vor hinter neben zwischen durch für gegen ohne um bis seit während ist sind war waren
wird werden wurde hat haben ich du er sie es wir ihr sich sein seine ihre als wie so auch nicht noch nur wenn dass man
le la les l un une des du de d et ou mais à au aux en dans sur sous avec sans pour par chez vers entre depuis ce cet
cette ces son sa ses leur leurs mon ma mes notre nos il elle ils elles on se qui que qu ne pas est sont était être
el los las lo al del unos unas y e o u pero con sin por para sobre bajo entre desde hasta hacia su sus mi mis nuestro
este esta estos estas ese esa se que es son está están fue ser no más muy como donde cuando
il lo i gli uno una di del dello della dei degli delle dal dallo dalla dai dalle nel nello nella nei negli nelle al
allo alla ai agli alle sul sullo sulla sui sulle con col senza per tra fra da ed od ma che chi non è sono era si suo
sua suoi come dove quando
o os as um uma uns umas do dos da das no nos na nas num numa ao aos à às pelo pela pelos pelas com sem por para sobre
em entre até desde e ou mas que se seu sua seus suas é são está estão foi não mais muito como
de het een en of maar van voor met zonder op aan bij naar uit over onder tussen door om te tot tegen in is zijn was
waren wordt werd heeft hij zij ze wij we ik je u zich haar hun dit dat deze die er als ook niet
en ett den det de och eller men i på av till från för med utan vid under över mellan om som är var har han hon vi jag
sig sin sitt sina inte et ei og på av til fra med uten ved mellom er som ikke af uden hos hun jeg
ja tai mutta on ei ovat oli se ne joka että kun kuin hän he me
i w we z ze na do od o u po przy pod nad przed za dla bez przez oraz lub ale że się jest są był była nie to ta ten te
v ve s se k ke u a i ale nebo že je jsou byl byla po pod nad před za bez pro při od do
și si sau dar cu fără pe la din de în prin pentru al ale ai un o este sunt era nu ce care lui
és vagy de a az egy is nem van volt hogy mint meg ki be fel le
ve veya ile için bir bu şu o da de ki mi mı gibi kadar daha en çok
и в во на с со к ко у о об от до за из по под над при для без через но а или что как не это он она они мы я его её их
й та і в у на з із до від за по під над при для без через але або що як не це він вона вони ми
και ή σε στο στη στην στον στα στις στους με για από του της των το τα η ο οι τον την τους τις ένα μια ένας που δεν να
في من على إلى الى عن مع و أو أن هو هي هذا هذه التي الذي كان لا ما بين تحت فوق
در از به با و که این آن را برای بر تا یک های ها است
של את על עם אל מן כל לא הוא היא זה זו גם או כי אשר
का के की को में से पर और या है हैं था थे थी एक यह वह इस उस ने भी नहीं
di ke dari dan atau yang untuk dengan pada dalam adalah ini itu tidak oleh
của và ở trên dưới trong với cho là một các những không có từ đến
"""
FOREIGN_WORDS = frozenset(_WORDS.split())

_ALSO_ENGLISH = """
die war hat man pour par son ton sea sin con dos era den met men till over under come dove ten hun dan per main sine
be fel me he ma we do as so an am on in is at of or and to by use were was
"""
NEVER_ENGLISH = FOREIGN_WORDS - set(_ALSO_ENGLISH.split())
