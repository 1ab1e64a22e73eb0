/**
 * What the pipeline says of its stages, by the server's own English: names, what each does, what it waits for, and what
 * it can be given. Loaded with the pages of those who run a project; tests/e2e/test_german.py holds it to the server.
 */
export const stages: Readonly<Record<string, string>> = {
  'Import images': 'Bilder importieren',
  'Imports images with their licences, rejects broken files and makes thumbnails.':
    'Importiert Bilder mit ihren Lizenzen, lehnt defekte Dateien ab und erstellt Vorschaubilder.',
  'Pick a sample': 'Auswahl treffen',
  'Makes a map of similar images and picks images of every kind. Nothing changes until you activate the sample.':
    'Erstellt eine Karte ähnlicher Bilder und wählt Bilder jeder Art. Nichts ändert sich, bis du die Auswahl aktivierst.',
  'Import captions': 'Bildtexte importieren',
  'Imports captions for the images. It can also add captions of other images.':
    'Importiert Bildtexte für die Bilder. Kann auch Bildtexte anderer Bilder hinzufügen.',
  'Import queries': 'Suchanfragen importieren',
  'Imports queries, and the images that annotators compare with each query.':
    'Importiert Suchanfragen und die Bilder, die Annotierende mit jeder Suchanfrage vergleichen.',
  'Prepare corpora': 'Korpora vorbereiten',
  'Computes a vector for each image of a corpus. Several workers can share the work.':
    'Berechnet einen Vektor für jedes Bild eines Korpus. Mehrere Worker können sich die Arbeit teilen.',
  'Find captions': 'Bildtexte finden',
  'Finds images of a corpus that are similar to each image, and adds their captions.':
    'Findet zu jedem Bild ähnliche Bilder eines Korpus und fügt deren Bildtexte hinzu.',
  'Polysemy report': 'Polysemie-Bericht',
  'Measures how similar neighbours in a corpus are, and how well their captions fit an image.':
    'Misst die Ähnlichkeit von Nachbarn in einem Korpus und wie gut ihre Bildtexte passen.',
  'Web titles': 'Titel aus dem Web',
  'Sends the images to Google. Titles of web pages with these images become captions. This can cost money.':
    'Sendet die Bilder an Google. Titel von Webseiten mit diesen Bildern werden Bildtexte. Das kann Geld kosten.',
  'Clean captions': 'Bildtexte bereinigen',
  'Repairs captions and removes texts that cannot be captions. Each removed text keeps its reason.':
    'Repariert Bildtexte und entfernt Texte, die keine Bildtexte sein können. Jeder entfernte Text behält seinen Grund.',
  'Find generic captions': 'Allgemeine Bildtexte finden',
  'Several models check how many other images each caption fits. Captions that are too generic get a mark.':
    'Mehrere Modelle prüfen, zu wie vielen anderen Bildern jeder Bildtext passt. Zu allgemeine Bildtexte werden markiert.',
  'Make test questions': 'Testfragen erstellen',
  'Pairs texts with very different images. Annotators should answer bad to these pairs.':
    'Bildet Paare aus Texten und ganz anderen Bildern. Annotierende sollen hier „schlecht“ antworten.',
  'Suggest edits': 'Änderungen vorschlagen',
  'Marks names, places, numbers, colours, animals and plants that may be wrong. It changes no caption.':
    'Markiert Namen, Orte, Zahlen, Farben, Tiere und Pflanzen, die falsch sein können. Ändert keinen Bildtext.',
  'Build tasks': 'Aufgaben erstellen',
  'Groups the captions of each image, or the images of each query, into tasks for annotators.':
    'Fasst die Bildtexte jedes Bildes oder die Bilder jeder Suchanfrage zu Aufgaben für Annotierende zusammen.',
  Annotate: 'Annotieren',
  'Annotators answer every pair of a task.': 'Annotierende beantworten jedes Paar einer Aufgabe.',
  'Preview quality rules': 'Vorschau der Qualitätsregeln',
  'Shows which annotators and answers the quality rules would change. It changes nothing.':
    'Zeigt, welche Annotierenden und Antworten die Qualitätsregeln ändern würden. Ändert nichts.',
  'Apply quality rules': 'Qualitätsregeln anwenden',
  'Checks the work of all annotators. It warns, pauses or excludes annotators by the quality rules.':
    'Prüft die Arbeit aller Annotierenden. Warnt, pausiert oder schließt Annotierende nach den Qualitätsregeln aus.',
  Consensus: 'Konsens',
  'Turns the answers for each pair into a label. Ties stay open. A decision of the head annotator always wins.':
    'Macht aus den Antworten zu jedem Paar ein Ergebnis. Bei Gleichstand bleibt es offen. Eine Entscheidung der Leitung gilt immer.',
  'Select captions': 'Bildtexte auswählen',
  'Chooses good captions of each image that differ most from each other.':
    'Wählt zu jedem Bild gute Bildtexte, die sich am meisten unterscheiden.',
  'Rate difficulty': 'Schwierigkeit bewerten',
  'Several models check if each selected caption fits. Their votes make it easy, medium or hard.':
    'Mehrere Modelle prüfen, ob jeder ausgewählte Bildtext passt. Ihre Stimmen machen ihn leicht, mittel oder schwer.',
  Release: 'Release',
  'Saves the selected captions and their answers as a fixed version, with checksums.':
    'Speichert die ausgewählten Bildtexte und ihre Antworten als feste Version mit Prüfsummen.',

  'People do this in the browser.': 'Das machen Annotierende im Browser.',
  'Import images first.': 'Importiere zuerst Bilder.',
  'Import captions first.': 'Importiere zuerst Bildtexte.',
  'Import queries first.': 'Importiere zuerst Suchanfragen.',
  'Register a corpus first.': 'Melde zuerst einen Korpus an.',
  'Register and prepare a corpus first.': 'Melde zuerst einen Korpus an und bereite ihn vor.',
  'Clean the captions first.': 'Bereinige zuerst die Bildtexte.',
  'There are no answers yet.': 'Es gibt noch keine Antworten.',
  'No caption has the label good yet.': 'Noch kein Bildtext hat das Ergebnis „gut“.',
  'Select captions first.': 'Wähle zuerst Bildtexte aus.',

  'File or folder on the server': 'Datei oder Ordner auf dem Server',
  'It must be in a folder that this site allows.': 'Sie muss in einem Ordner sein, den diese Seite erlaubt.',
  Upload: 'Upload',
  'The ID of an upload, instead of a file on the server.': 'Die ID eines Uploads statt einer Datei auf dem Server.',
  Layout: 'Aufbau',
  'How the files are arranged.': 'Wie die Dateien angeordnet sind.',
  Licence: 'Lizenz',
  'For images without a licence. For example: CC-BY-4.0.': 'Für Bilder ohne Lizenz. Zum Beispiel: CC-BY-4.0.',
  'Images to pick': 'Bilder in der Auswahl',
  'If the project has fewer images, all are picked.': 'Hat das Projekt weniger Bilder, werden alle gewählt.',
  'Image model': 'Bildmodell',
  'Leave it empty to use the model of this site.': 'Leer lassen, um das Modell dieser Seite zu verwenden.',
  'Neighbours on the map': 'Nachbarn auf der Karte',
  'A high number shows large groups. A low number shows small groups.':
    'Eine hohe Zahl zeigt große Gruppen. Eine niedrige Zahl zeigt kleine Gruppen.',
  'Smallest distance on the map': 'Kleinster Abstand auf der Karte',
  'A low number puts similar images closer together.': 'Eine niedrige Zahl legt ähnliche Bilder näher zusammen.',
  Source: 'Quelle',
  'Where the captions come from: human, web or a name that you choose.':
    'Woher die Bildtexte kommen: human, web oder ein eigener Name.',
  'Captions of other images': 'Bildtexte anderer Bilder',
  'Each image gets this number of random captions of other images.':
    'Jedes Bild bekommt so viele zufällige Bildtexte anderer Bilder.',
  Corpus: 'Korpus',
  'Leave it empty if the project has only one corpus.': 'Leer lassen, wenn das Projekt nur einen Korpus hat.',
  Corpora: 'Korpora',
  'Write a comma between the names. Leave it empty to use all prepared corpora.':
    'Trenne die Namen mit Kommas. Leer lassen, um alle vorbereiteten Korpora zu verwenden.',
  'Search in': 'Suchen in',
  'Clusters: only images of the same group. Nearest neighbours: all similar images.':
    'Cluster: nur Bilder derselben Gruppe. Nächste Nachbarn: alle ähnlichen Bilder.',
  'Images to find': 'Zu findende Bilder',
  'This number is for a corpus of the size of COCO. It grows with the corpus.':
    'Die Zahl gilt für einen Korpus von der Größe von COCO. Sie wächst mit dem Korpus.',
  'Lowest mean similarity': 'Kleinste mittlere Ähnlichkeit',
  'The images found are at least this similar on average. 1 is the same image.':
    'So ähnlich sind die gefundenen Bilder im Mittel mindestens. 1 ist dasselbe Bild.',
  'Highest mean similarity': 'Größte mittlere Ähnlichkeit',
  'If the mean is higher, a larger number of images is possible.':
    'Ist der Mittelwert höher, sind auch mehr Bilder möglich.',
  'Similarity of copies': 'Ähnlichkeit von Kopien',
  'An image with this similarity or more may be a copy. You decide about it later.':
    'Ein Bild mit mindestens dieser Ähnlichkeit kann eine Kopie sein. Du entscheidest später darüber.',
  'Smallest cluster': 'Kleinster Cluster',
  'HDBSCAN: a smaller group of images is no cluster.': 'HDBSCAN: Eine kleinere Gruppe von Bildern ist kein Cluster.',
  'Distance between clusters': 'Abstand zwischen Clustern',
  'HDBSCAN: clusters with a smaller distance on the map become one cluster.':
    'HDBSCAN: Cluster mit kleinerem Abstand auf der Karte werden ein Cluster.',
  'Images for the map': 'Bilder für die Karte',
  'UMAP learns the map from these images and then adds all others.':
    'UMAP lernt die Karte aus diesen Bildern und fügt dann alle anderen hinzu.',
  'Images to measure': 'Zu messende Bilder',
  'They are picked at random.': 'Sie werden zufällig gewählt.',
  'CLIP model': 'CLIP-Modell',
  'It compares captions with images. Leave it empty to use the model of this site.':
    'Es vergleicht Bildtexte mit Bildern. Leer lassen, um das Modell dieser Seite zu verwenden.',
  'Numbers of neighbours': 'Anzahlen von Nachbarn',
  'The report has one point for each number. Write a comma between the numbers.':
    'Der Bericht hat einen Punkt für jede Zahl. Trenne die Zahlen mit Kommas.',
  Limit: 'Grenze',
  'If more images must be looked up, nothing is sent.': 'Sind mehr Bilder abzufragen, wird nichts gesendet.',
  'Shortest caption': 'Kürzester Bildtext',
  'Shorter captions are removed.': 'Kürzere Bildtexte werden entfernt.',
  'Shortest web title': 'Kürzester Titel aus dem Web',
  'Shorter titles of web pages are removed.': 'Kürzere Titel von Webseiten werden entfernt.',
  'Sources with web titles': 'Quellen mit Titeln aus dem Web',
  'Rules for titles apply to these sources only. Write a comma between the names.':
    'Regeln für Titel gelten nur für diese Quellen. Trenne die Namen mit Kommas.',
  'Language model': 'Sprachmodell',
  'The spaCy pipeline that finds nouns, verbs, adjectives and names.':
    'Die spaCy-Pipeline, die Nomen, Verben, Adjektive und Namen findet.',
  'Other images that a caption may fit': 'Andere Bilder, zu denen ein Bildtext passen darf',
  'A caption that fits more, and at least two, is too generic.':
    'Ein Bildtext, der zu mehr und zu mindestens zwei passt, ist zu allgemein.',
  Models: 'Modelle',
  'Write a comma between the names. The last model decides ties. Leave it empty to use the models of this site.':
    'Trenne die Namen mit Kommas. Das letzte Modell entscheidet bei Gleichstand. Leer lassen, um die Modelle dieser Seite zu verwenden.',
  'Similarity of images': 'Ähnlichkeit von Bildern',
  'Images with this similarity or more may share a caption. 1 is the same image.':
    'Bilder mit mindestens dieser Ähnlichkeit dürfen einen Bildtext teilen. 1 ist dasselbe Bild.',
  'Test questions': 'Testfragen',
  'Existing test questions count too. Only the missing ones are made.':
    'Vorhandene Testfragen zählen mit. Nur die fehlenden werden erstellt.',
  'Compare images by': 'Bilder vergleichen mit',
  'A vision model finds different images better. Hashes work without a model.':
    'Ein Bildmodell findet andere Bilder besser. Hashes brauchen kein Modell.',
  'Captions to read': 'Zu lesende Bildtexte',
  'New captions are those that Suggest edits has not read yet.':
    'Neue Bildtexte hat „Änderungen vorschlagen“ noch nicht gelesen.',
  'Priority of the new tasks': 'Priorität der neuen Aufgaben',
  'Annotators get tasks with a high priority first.': 'Annotierende bekommen Aufgaben mit hoher Priorität zuerst.',
  Version: 'Version',
  '0 is the active version, with all new answers.': '0 ist die aktive Version mit allen neuen Antworten.',
  Method: 'Methode',
  'Majority counts the answers. Dawid-Skene and MACE also use how reliable each annotator is. With few answers for each pair, use majority.':
    'Mehrheit zählt die Antworten. Dawid-Skene und MACE beachten auch, wie zuverlässig Annotierende sind. Bei wenigen Antworten pro Paar nimm die Mehrheit.',
  'Answers needed': 'Nötige Antworten',
  'Pairs with fewer answers get no label. 0 means all answers that the task asks for.':
    'Paare mit weniger Antworten bekommen kein Ergebnis. 0 heißt alle Antworten, die die Aufgabe verlangt.',
  'Captions to choose': 'Zu wählende Bildtexte',
  'Images with fewer good captions are not selected.': 'Bilder mit weniger guten Bildtexten werden nicht ausgewählt.',
  'Text model': 'Textmodell',
  'It compares captions. Leave it empty to use the model of this site.':
    'Es vergleicht Bildtexte. Leer lassen, um das Modell dieser Seite zu verwenden.',
  Rule: 'Regel',
  'How the votes make it easy, medium or hard.': 'Wie die Stimmen ihn leicht, mittel oder schwer machen.',

  images: 'Bilder',
  words: 'Wörter',
  'per image': 'pro Bild',
  'per corpus': 'pro Korpus',
  'per pair': 'pro Paar',
  'per image or query': 'pro Bild oder Suchanfrage',
}
