/**
 * What the server says in English to those who run a project, by its code or by its sentence: refusals, and why a figure
 * is missing. Loaded with their pages. tests/backend/common/test_german_refusals.py holds it to what the server says.
 */
export const deskRefusals: Readonly<Record<string, string>> = {
  already_control: 'Dieses Paar ist schon eine Kontrollaufgabe: Ändere diese oder nenn ein anderes Paar.',
  said_elsewhere:
    'Eine andere Kontrollaufgabe oder eine Quizfrage hat diese Worte: Wer beide bekommt, würde sie erkennen. Schreib andere.',
  already_dealt:
    'Jemand hatte schon Seiten dieses Bildes oder dieser Anfrage, und welche Kontrollaufgabe auf welche Seite kommt, muss bleiben: Mustere sie stattdessen aus.',
  already_met:
    'Diese Kontrollaufgabe hat schon jemand gesehen, deshalb bleibt sie lesbar: Mustere sie stattdessen aus.',
  out_already:
    'Diese Kontrollaufgabe ist in Quarantäne und zählt für niemanden: Nimm sie wieder in Gebrauch, bevor du sie ausmusterst.',
  control_is_example:
    'Dieses Paar steht unter den Beispielen der Richtlinien, wo seine Antwort verraten wird: Es kann keine Kontrollaufgabe sein.',
  example_is_control:
    'Dieses Paar ist eine Kontrollaufgabe, und ein Beispiel verriete ihre Antwort: Wähl einen anderen Bildtext oder ein anderes Foto.',
  moved: 'Jemand hat über eine Person entschieden, während das Regelwerk ausgerechnet wurde: Wende es noch einmal an.',
  nothing_to_take_back: 'Hier gibt es nichts zurückzunehmen.',
  stage_running: 'Dieser Schritt läuft in diesem Projekt schon: Warte darauf oder brich ihn zuerst ab.',
  run_cancelled: 'Der Lauf wurde abgebrochen.',
  run_lost: 'Ein anderer Worker hat diesen Lauf übernommen; dieser hört auf, ohne zu schreiben.',
  nothing_shared:
    'Kein Paar wurde von zweien beurteilt, und daraus lernen Dawid-Skene und MACE, wem zu glauben ist: Nimm die Mehrheit oder lass Paare öfter beurteilen.',
  no_judgments:
    'Diese Datei enthält keine Urteile in einer Form, die hier gelesen wird: eine Tabelle mit den Spalten task, worker und label (heißen sie anders, sag oben, wie), ein Export von Label Studio (gibt es mehrere Auswahlen, sag oben, welche zählt) oder Stimmen wie bei ConQA.',
  row_of_nobody: 'Niemand hat es beurteilt.',
  row_names_nobody: 'Es steht nicht dabei, wer geurteilt hat.',
  row_not_annotated: 'Niemand hat es annotiert.',
  row_only_a_number: 'Statt einer Wahl steht da nur eine Zahl.',
  row_cancelled: 'Abgebrochen: Wer es angefangen hat, hat nichts gesagt.',
  row_no_choice: 'Es steht keine Wahl da.',
  row_several_choices: 'Es wurde mehreres zugleich gewählt; ein Urteil ist nur eines.',
  row_judged_later: 'Dieselbe Person hat die Aufgabe später noch einmal beurteilt.',
  row_judged_before: 'Diese Person hat die Aufgabe schon beurteilt; das erste Urteil gilt.',
  row_no_field: 'Das Feld mit der Bezeichnung fehlt.',
  row_no_label: 'Es fehlt die Bezeichnung.',
  row_lacks_names: 'Es fehlt mehreres von Aufgabe (task), Person (worker) und Bezeichnung (label).',
  'It names no task.': 'Es fehlt die Aufgabe (task).',
  'It names no worker.': 'Es fehlt die Person (worker).',
  row_empty_worker: 'Unter dieser Person steht nichts.',
  row_empty_query: 'Unter dieser Suchanfrage steht kein Bild.',
  row_too_wide: 'Die Zeile hat mehr Zellen als die Kopfzeile.',
  row_too_many_votes: 'Das sind mehr Stimmen, als ein Paar haben darf.',
  row_votes_twice:
    'Stimmen zu diesem Paar stehen weiter oben, unter einem anderen Namen der Suchanfrage oder des Bildes; jene werden genommen.',
  row_other_votes: 'Andere Stimmen zu diesem Paar wurden früher importiert, und jene bleiben.',
  row_is_gold: 'Als sicher richtig markiert: Mach eine Kontrollaufgabe daraus.',
  row_not_text: 'Es stehen Zeichen darin, die kein Text enthalten kann.',
  row_no_pair: 'Kein Paar, das hier in einem HIT steht, hat diesen Schlüssel oder dieses Bild mit diesem Text.',
  row_pair_twice: 'Diese Person hat das Paar schon beurteilt.',
  row_said_otherwise: 'Es wurde früher mit einem anderen Urteil importiert, und jenes bleibt.',
  row_not_our_label: 'Die Bezeichnung ist keine von denen, die hier gelten: Sag oben, was sie hier ist.',
  row_other_reasons: 'Andere Gründe, keiner mit mehr Zeilen.',
  'The file is empty.': 'Die Datei ist leer.',
  'The table has a header and no rows.': 'Die Tabelle hat eine Kopfzeile und keine Zeilen.',
  'No pair has a vote.': 'Kein Paar hat eine Stimme.',
  'Nobody has said anything in this file.': 'In dieser Datei hat niemand etwas gesagt.',
  'This is neither JSON nor CSV.': 'Das ist weder JSON noch CSV.',
  'These are votes of items that are no pairs, and their voters are not named.':
    'Das sind Stimmen zu etwas, das keine Paare sind, und wer sie abgab, steht nicht dabei.',
  'This file is nested too deep to be judgments.': 'Diese Datei ist zu tief verschachtelt, um Urteile zu sein.',
  'This JSON is nested too deep to be judgments.': 'Dieses JSON ist zu tief verschachtelt, um Urteile zu sein.',
  'This is no text: it holds zero bytes. Save it as UTF-8.':
    'Das ist kein Text, denn es enthält Nullbytes: Speichere es als UTF-8.',
  'The queries are no {number: {Text, Conceptual, Seeds}} as in seed.json.':
    'Das ist kein Wortlaut von Suchanfragen, {Nummer: {Text, Conceptual, Seeds}} wie in seed.json.',
  no_caption: 'Die Zeile hat keinen Text: Füg eine Spalte „text“ hinzu oder eine mit der Suchanfrage.',
  'Only a curator of this project may do this.': 'Das darf nur, wer dieses Projekt kuratiert.',
  'Only a curator or the head annotator of this project may do this.':
    'Das darf nur, wer dieses Projekt kuratiert oder die Annotation leitet.',

  'Say why, in a sentence that the person concerned may read.':
    'Sag, warum, in einem Satz, den die betroffene Person lesen darf.',
  'Nobody of that id works on this project.': 'Niemand mit dieser Nummer arbeitet an diesem Projekt.',
  'Nobody of that id has worked on this project.': 'Niemand mit dieser Nummer hat an diesem Projekt gearbeitet.',
  'A head annotator may pause somebody, take such a pause back, and note that they looked where a rule asks for it. Ask a curator for more.':
    'Wer die Annotation leitet, darf jemanden pausieren, das zurücknehmen und eine Prüfung festhalten, um die eine Regel bittet. Bitte für mehr jemanden, der kuratiert.',
  'This person is paused or excluded already, by the rules or a curator. Ask a curator for more.':
    'Diese Person ist schon pausiert oder ausgeschlossen, von den Regeln oder jemandem, der kuratiert. Bitte für mehr jemanden, der kuratiert.',
  'A curator had paused or excluded this person before. Ask a curator to take that back.':
    'Davor hat jemand, der kuratiert, diese Person pausiert oder ausgeschlossen. Bitte jemanden, der kuratiert, das zurückzunehmen.',
  'As a head annotator you decide nothing of yourself. Ask another head annotator or a curator.':
    'Wer die Annotation leitet, entscheidet nichts über sich selbst. Bitte jemanden, der sie auch leitet oder kuratiert.',
  'No rule asks for a look at this person just now. Reload to see how they stand.':
    'Gerade bittet keine Regel darum, diese Person zu prüfen. Lade neu, um ihren Stand zu sehen.',
  'Another version was made at the same moment: look at it, then save yours again.':
    'Im selben Augenblick ist eine andere Version entstanden: Sieh sie dir an und speichere deine dann noch einmal.',
  "This project's policy has no such version.": 'Das Regelwerk dieses Projekts hat keine solche Version.',
  'This version has no such replay.': 'Diese Version wurde so nicht angewendet.',
  'What this version would change has not been worked out yet: ask for it first.':
    'Was diese Version ändern würde, ist noch nicht ausgerechnet: Frag zuerst danach.',

  'Accept good or bad, alone or with one more label; unsure alone grades nobody.':
    'Lass gut oder schlecht gelten, allein oder mit einem zweiten Urteil; unsicher allein prüft niemanden.',
  'The explanation is longer than 500 characters: shorten it.': 'Die Erklärung ist länger als 500 Zeichen: Kürze sie.',
  'This pair stands in a HIT, where people may have judged it: it cannot become a control any more.':
    'Dieses Paar steht in einem HIT, wo es vielleicht schon beurteilt ist: Es kann keine Kontrollaufgabe mehr werden.',
  'Only a kept pair can become a control: restore it first, or write its text anew.':
    'Nur ein behaltenes Paar kann Kontrollaufgabe werden: Stell es zuerst wieder her oder schreib den Text neu.',
  'This image has this caption already, but not kept: restore it first.':
    'Dieses Bild hat diesen Bildtext schon, aber nicht behalten: Stell ihn zuerst wieder her.',
  'The HITs of this project show images of a query: name a query.':
    'Die HITs dieses Projekts zeigen Bilder zu einer Suchanfrage: Nenn eine Suchanfrage.',
  'The HITs of this project show captions of an image: write a caption.':
    'Die HITs dieses Projekts zeigen Bildtexte zu einem Bild: Schreib einen Bildtext.',
  'The row does not say what is right: add an accepted column with good or bad.':
    'Die Zeile sagt nicht, was richtig ist: Füg eine Spalte „accepted“ mit good oder bad hinzu.',
  'Retired by hand.': 'Von Hand ausgemustert.',
  'Its answer is wrong, says a person: it counts for nobody.':
    'Ihre Antwort ist falsch, sagt ein Mensch: Sie zählt für niemanden.',
  'Looked at by a person and put back in use.': 'Von einem Menschen angesehen und wieder in Gebrauch genommen.',

  'Fails hidden controls': 'Besteht versteckte Kontrollaufgaben nicht',
  'share of graded controls failed': 'Anteil nicht bestandener unter den bewerteten Kontrollaufgaben',
  'graded controls': 'bewertete Kontrollaufgaben',
  'Answers too fast': 'Antwortet zu schnell',
  "share of answers in less than a fifth of what the middle annotator's quickest quarter take":
    'Anteil der Antworten in weniger als einem Fünftel der Zeit, die im Mittelfeld das schnellste Viertel braucht',
  'answers with a time': 'Antworten mit Zeit',
  'Gives whole pages one answer': 'Gibt ganzen HITs eine Antwort',
  'share of HITs of three items or more with one answer throughout':
    'Anteil der HITs ab drei Urteilen mit durchweg einer Antwort',
  'such HITs': 'solche HITs',
  'Follows the place on the screen': 'Richtet sich nach dem Platz auf dem Bildschirm',
  "Cramer's V between place and answer": 'Cramérs V zwischen Platz und Antwort',
  answers: 'Antworten',
  'Disagrees with the others': 'Weicht von den anderen ab',
  'share of answers that most others did not give': 'Anteil der Antworten, die die meisten anderen nicht gaben',
  'answers compared': 'verglichene Antworten',
  'Skips page after page': 'Überspringt HIT um HIT',
  'share of HITs met that were left to others': 'Anteil der erhaltenen HITs, die anderen überlassen wurden',
  'HITs met': 'erhaltene HITs',

  'Under adaptive overlap a pair must be able to get more judgments than it gets at first.':
    'Bei anpassender Überlappung muss ein Paar mehr Urteile bekommen können, als es anfangs bekommt.',

  'No item has two judgments.': 'Kein Paar hat zwei Urteile.',
  'No item has two judgments that this reading counts: the others are unsure.':
    'Kein Paar hat zwei Urteile, die in dieser Lesart zählen: Die anderen sind unsicher.',
  'Of only one item two judgments count here, and chance cannot be told from one.':
    'Nur von einem Paar zählen hier zwei Urteile, und an einem lässt sich Zufall nicht erkennen.',
  'All judgments that count here are the same, so there is nothing that chance could get wrong.':
    'Alle Urteile, die hier zählen, sind gleich, also kann der Zufall nichts falsch machen.',
  'Of what counts here, no two people share two items or more and gave them more than one label.':
    'Von dem, was hier zählt, haben keine zwei Personen zwei Paare oder mehr gemeinsam und ihnen mehr als ein Urteil gegeben.',
  "No item has two judgments of which it is known whose they are; read Krippendorff's alpha.":
    'Von keinem Paar sind zwei Urteile da, von denen man weiß, wessen sie sind; lies Krippendorffs Alpha.',
  "Fleiss' kappa needs equally many judgments of every item; read Krippendorff's alpha.":
    'Fleiss’ Kappa braucht gleich viele Urteile über jedes Paar; lies Krippendorffs Alpha.',
  "Fleiss' kappa knows no order of labels; read the ordinal alpha.":
    'Fleiss’ Kappa kennt keine Ordnung der Urteile; lies das ordinale Alpha.',

  'Too few assignments came with the time people spent on them: the hours are told once there are 20.':
    'Zu wenige HITs kamen mit der Zeit, die jemand dafür brauchte: Die Stunden stehen hier, sobald es 20 sind.',
  "Set what one HIT is paid in the project's settings to see what is left of the cost.":
    'Lege in den Einstellungen des Projekts fest, was für einen HIT bezahlt wird, um zu sehen, was an Kosten bleibt.',
  'from hidden controls': 'nach versteckten Kontrollaufgaben',
  'from how often people agree, because too few hidden controls have been answered':
    'danach, wie oft Menschen übereinstimmen, da zu wenige versteckte Kontrollaufgaben beantwortet sind',
  'assumed, because too little has been judged so far': 'angenommen, da bisher zu wenig beurteilt ist',
}
