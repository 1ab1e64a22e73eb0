/**
 * What the walk says of its stages, by the server's own English: names, what each does, what it waits for, and what it
 * can be given. Loaded with the pages of those who run a project; tests/e2e/test_german.py holds it to the server.
 */
export const stages: Readonly<Record<string, string>> = {
  'Import images': 'Bilder importieren',
  'Reads pictures with their licences, refuses what is not one, draws thumbnails.':
    'Liest Bilder mit ihren Lizenzen, weist ab, was keines ist, und zeichnet Vorschaubilder.',
  Sample: 'Stichprobe',
  'Lays the images out by what they show and picks those that cover it evenly; in force once a curator says so.':
    'Legt die Bilder nach dem aus, was sie zeigen, und wählt die, die es gleichmäßig abdecken; gilt, sobald die Kuration es sagt.',
  'Import captions': 'Bildtexte importieren',
  'Reads captions for the imported images, and can borrow captions of other images.':
    'Liest Bildtexte für die importierten Bilder und kann Bildtexte anderer Bilder ausleihen.',
  'Import queries': 'Anfragen importieren',
  'Reads queries with the images to judge against each, for projects whose HITs show images of a query.':
    'Liest Anfragen mit den Bildern, die an jeder zu messen sind, für Projekte, deren HITs Bilder zu einer Anfrage zeigen.',
  'Embed corpus': 'Korpus einbetten',
  'Gives every picture of a registered corpus its vector, shard by shard, on as many workers as there are.':
    'Gibt jedem Bild eines angemeldeten Korpus seinen Vektor, Stück für Stück, auf so vielen Workern, wie es gibt.',
  Retrieve: 'Suchen',
  'Finds the pictures of embedded corpora that lie near each image, and borrows their captions for it.':
    'Findet die Bilder eingebetteter Korpora, die nahe bei jedem Bild liegen, und leiht ihm ihre Bildtexte.',
  'Polysemy report': 'Polysemiebericht',
  'Measures how alike neighbours in a corpus look, and how far from a picture their captions lie, by radius.':
    'Misst nach Radius, wie ähnlich Nachbarn in einem Korpus aussehen und wie weit ihre Bildtexte von einem Bild liegen.',
  'Web titles': 'Titel aus dem Web',
  'Sends the pictures to Google, which knows pages that show them: the titles become captions. Can cost money.':
    'Sendet die Bilder an Google, das Seiten kennt, die sie zeigen: Deren Titel werden Bildtexte. Kann Geld kosten.',
  Clean: 'Bereinigen',
  'Repairs the text and drops what cannot be a caption; each drop keeps its rule.':
    'Bessert den Text aus und entfernt, was kein Bildtext sein kann; zu jedem Entfernten bleibt die Regel stehen.',
  'Generic captions': 'Allgemeine Bildtexte',
  'Asks a panel of models on how many other images each kept caption fits, and flags those that fit many.':
    'Fragt mehrere Modelle, auf wie viele andere Bilder jeder behaltene Bildtext passt, und markiert, was auf viele passt.',
  'Make controls': 'Kontrollaufgaben anlegen',
  'Hides captions of unlike images, or unlike images for a query, among what is judged: known to be bad.':
    'Versteckt Bildtexte unähnlicher Bilder, oder unähnliche Bilder zu einer Anfrage, unter dem, was beurteilt wird: Sie sind sicher schlecht.',
  'Suggest edits': 'Änderungen vorschlagen',
  'Marks names, places, numbers, colours, animals and plants that may need an edit; no caption is changed by it.':
    'Markiert Namen, Orte, Zahlen, Farben, Tiere und Pflanzen, die vielleicht geändert werden müssen; kein Bildtext wird dadurch anders.',
  'Build HITs': 'HITs bauen',
  'Groups the kept captions of each image, or the images of each query, into HITs for the annotators.':
    'Fasst die behaltenen Bildtexte jedes Bildes, oder die Bilder jeder Anfrage, zu HITs für die Annotierenden zusammen.',
  Judge: 'Beurteilen',
  'Annotators judge every pair good, bad or unsure.':
    'Annotierende beurteilen jedes Paar als gut, schlecht oder unsicher.',
  'Preview quality policy': 'Regelwerk vorausschauen',
  "Works out who and what a version of the project's rules would change, and changes nothing.":
    'Rechnet aus, wen und was eine Version des Regelwerks ändern würde, und ändert nichts.',
  'Apply quality policy': 'Regelwerk anwenden',
  "Looks at everybody's work by the project's rules: who goes on, who pauses, whose judgments count.":
    'Sieht die Arbeit aller nach den Regeln des Projekts an: wer weitermacht, wer pausiert, wessen Urteile zählen.',
  Consensus: 'Konsens',
  "Makes the votes on each pair its label, a tie stays open; the head annotator's verdict stands above all.":
    'Macht aus den Stimmen zu jedem Paar ein Urteil, ein Gleichstand bleibt offen; über allem steht, was die Leitung der Annotation sagt.',
  Select: 'Auswählen',
  'Chooses the most diverse good captions of each image.':
    'Wählt zu jedem Bild die guten Bildtexte, die am verschiedensten sind.',
  Difficulty: 'Schwierigkeit',
  'Asks a panel of models whether each chosen caption matches: easy, medium or hard. A release can do without.':
    'Fragt mehrere Modelle, ob jeder gewählte Bildtext passt: leicht, mittel oder schwer. Ein Release kommt ohne aus.',
  Release: 'Release',
  'Freezes the selected captions with their judgments into files with checksums.':
    'Hält die gewählten Bildtexte mit ihren Urteilen in Dateien mit Prüfsummen fest.',

  'People do this in the browser.': 'Das tun Menschen im Browser.',
  'Import images first.': 'Importiere zuerst Bilder.',
  'Import captions first.': 'Importiere zuerst Bildtexte.',
  'Register a corpus first.': 'Melde zuerst einen Korpus an.',
  'Register a corpus and embed it first.': 'Melde zuerst einen Korpus an und bette ihn ein.',
  'Clean the captions first.': 'Bereinige zuerst die Bildtexte.',
  'Clean the captions, or import queries, first.': 'Bereinige zuerst die Bildtexte oder importiere Anfragen.',
  'Nobody has judged anything yet.': 'Noch hat niemand etwas beurteilt.',
  'No pair has a good consensus yet.': 'Noch hat kein Paar den Konsens „gut“.',
  'No image has its selected captions yet.': 'Noch hat kein Bild seine ausgewählten Bildtexte.',

  'A file or folder on the server, under CONNOTE_IMPORT_ROOTS.':
    'Eine Datei oder ein Ordner auf dem Server, unter CONNOTE_IMPORT_ROOTS.',
  'The id of an upload, instead of a source.': 'Die Nummer eines Uploads, statt einer Quelle.',
  'How the source is laid out.': 'Wie die Quelle aufgebaut ist.',
  'Licence of rows that name none.': 'Lizenz der Zeilen, die keine nennen.',
  'Images to pick; with no more than that, all are.': 'Zu wählende Bilder; gibt es nicht mehr, sind es alle.',
  'Image encoder; empty for CONNOTE_VISION_MODEL.': 'Bildencoder; leer für CONNOTE_VISION_MODEL.',
  'UMAP: how many neighbours an image is laid by.': 'UMAP: nach wie vielen Nachbarn ein Bild seinen Platz bekommt.',
  'UMAP: how near two images may come, in hundredths.':
    'UMAP: wie nahe sich zwei Bilder kommen dürfen, in Hundertsteln.',
  'What the captions are called in `source`: human, corpus, web ...':
    'Wie die Bildtexte in `source` heißen: human, corpus, web ...',
  'Captions of other images to add to each image, drawn by the seed.':
    'Bildtexte anderer Bilder, die zu jedem Bild kommen, nach dem Startwert gezogen.',
  'The corpus by its name; empty where there is only one.': 'Der Korpus mit seinem Namen; leer, wo es nur einen gibt.',
  'Corpora by comma; empty for every embedded one of the project.':
    'Korpora, durch Komma getrennt; leer für alle eingebetteten des Projekts.',
  "Neighbours of the image's own cluster, or any.": 'Nachbarn aus der eigenen Gruppe des Bildes oder beliebige.',
  'Pictures of a pool in a corpus the size of COCO; scales with the corpus.':
    'Bilder eines Pools in einem Korpus von der Größe von COCO; wächst mit dem Korpus.',
  'Hundredths: the least mean cosine of a pool.': 'Hundertstel: der kleinste mittlere Kosinus eines Pools.',
  'Hundredths: a pool with a higher mean could be widened.':
    'Hundertstel: Ein Pool mit höherem Mittel ließe sich weiten.',
  'Hundredths: from this cosine on a picture may be the image.':
    'Hundertstel: Ab diesem Kosinus ist ein Bild vielleicht dasselbe.',
  'HDBSCAN: pictures of the smallest cluster.': 'HDBSCAN: Bilder der kleinsten Gruppe.',
  'HDBSCAN: hundredths of a unit of the map that part two clusters.':
    'HDBSCAN: Hundertstel einer Einheit der Karte, die zwei Gruppen trennen.',
  'Pictures that the map is learned from; others are placed on it.':
    'Bilder, aus denen die Karte gelernt wird; andere werden darauf gelegt.',
  'Pictures drawn from each corpus.': 'Bilder, die aus jedem Korpus gezogen werden.',
  'CLIP model; empty for the last of CONNOTE_DIFFICULTY_PANEL.':
    'CLIP-Modell; leer für das letzte von CONNOTE_DIFFICULTY_PANEL.',
  'Radii by comma: so many nearest neighbours each.': 'Radien, durch Komma getrennt: je so viele nächste Nachbarn.',
  'Images that may be looked up; with more to ask, nothing is sent.':
    'Bilder, nach denen gefragt werden darf; wären es mehr, wird nichts gesendet.',
  'Shorter captions are dropped.': 'Kürzere Bildtexte werden entfernt.',
  'Shorter titles of web pages are dropped.': 'Kürzere Titel von Webseiten werden entfernt.',
  'Sources by comma whose texts are titles of web pages.':
    'Quellen, durch Komma getrennt, deren Texte Titel von Webseiten sind.',
  'spaCy pipeline that finds nouns, verbs and adjectives in titles.':
    'spaCy-Pipeline, die in Titeln Nomen, Verben und Adjektive findet.',
  'spaCy pipeline that finds words and names.': 'spaCy-Pipeline, die Wörter und Namen findet.',
  'Models by comma, the tie-breaker last; empty for CONNOTE_DIFFICULTY_PANEL.':
    'Modelle, durch Komma getrennt, zuletzt das bei Gleichstand entscheidende; leer für CONNOTE_DIFFICULTY_PANEL.',
  'Thousandths: what fits more others, at least two, is flagged.':
    'Tausendstel: Was auf mehr andere passt, mindestens zwei, wird markiert.',
  'Hundredths: from this cosine on two images may share a caption.':
    'Hundertstel: Ab diesem Kosinus dürfen zwei Bilder einen Bildtext teilen.',
  'Image encoder by which images are alike; empty for CONNOTE_VISION_MODEL.':
    'Bildencoder, nach dem Bilder ähnlich sind; leer für CONNOTE_VISION_MODEL.',
  'Controls for each image or query.': 'Kontrollaufgaben je Bild oder Anfrage.',
  'What says how alike images are: a model, or hashes.': 'Was sagt, wie ähnlich Bilder sind: ein Modell oder Hashes.',
  'Of the HITs made now: higher ones are handed out first.':
    'Der jetzt gebauten HITs: Höhere werden zuerst ausgegeben.',
  'Which version to look at; 0 is the one in force, on what came since.':
    'Welche Version angesehen wird; 0 ist die geltende, über das seither Gekommene.',
  'Which version to put in force; 0 is the one in force, on what came since.':
    'Welche Version gelten soll; 0 ist die geltende, über das seither Gekommene.',
  'A majority counts votes; Dawid-Skene and MACE also weigh who cast them. Of few votes a pair, most of one label, the majority is safer.':
    'Eine Mehrheit zählt Stimmen; Dawid-Skene und MACE wägen auch, wer sie abgab. Bei wenigen Stimmen je Paar, die meisten davon gleich, ist die Mehrheit sicherer.',
  'Votes a pair needs to get a label; 0 means as many as its HIT has places.':
    'Stimmen, die ein Paar für ein Urteil braucht; 0 heißt so viele, wie sein HIT Plätze hat.',
  'Captions per image.': 'Bildtexte je Bild.',
  'Sentence encoder; empty for CONNOTE_SENTENCE_MODEL.': 'Satzencoder; leer für CONNOTE_SENTENCE_MODEL.',
  'How votes make the category.': 'Wie Stimmen die Kategorie ergeben.',
}
