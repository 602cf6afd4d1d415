// Words for names and texts where there are too few examples, and no `@faker-js/faker`.

/** The words of a language. */
export interface WordList {
  firstNames: readonly string[]
  lastNames: readonly string[]
  cities: readonly string[]
  streets: readonly string[]
  companies: readonly string[]
  adjectives: readonly string[]
  nouns: readonly string[]
  sentences: readonly string[]
}

const list = (text: string): string[] =>
  text.trim().split(text.includes('\n') ? /\s*\n\s*/ : /,\s*/)

/** The built-in words in English. */
export const englishWords: WordList = {
  firstNames: list(
    'Ada, Alice, Amir, Anna, Ben, Carla, Chen, Clara, Daniel, David, Elena, Emma, Farah, Felix, Grace, Hana, Hugo, Ines, Ivan, Jack, James, Julia, Kofi, Laura, Leo, Lina, Lucas, Maria, Maya, Mia, Nadia, Noah, Nora, Oliver, Omar, Paula, Priya, Rosa, Ruth, Samuel, Sara, Simon, Sofia, Tara, Theo, Tom, Vera, Victor, Yara, Zoe',
  ),
  lastNames: list(
    'Adams, Baker, Bell, Bennett, Brooks, Carter, Chapman, Clarke, Cole, Cooper, Cruz, Davies, Diaz, Ellis, Evans, Fisher, Foster, Garcia, Gray, Green, Hall, Harris, Hill, Hughes, Hunt, Jackson, Kelly, Khan, King, Lee, Lewis, Lopez, Marsh, Martin, Mason, Miller, Moore, Morgan, Morris, Murphy, Nguyen, Okafor, Owen, Palmer, Patel, Perry, Price, Reed, Rossi, Scott, Shaw, Silva, Stone, Taylor, Turner, Walker, Ward, Watson, White, Wood, Young',
  ),
  cities: list(
    'Ashford, Bridgeton, Brookfield, Clearwater, Eastport, Fairview, Glenwood, Greenville, Hillcrest, Kingsbury, Lakeside, Mapleton, Midvale, Northfield, Oakdale, Redwood, Riverton, Springfield, Stonebridge, Westbrook',
  ),
  streets: list(
    'Bridge Street, Cedar Avenue, Church Road, Elm Street, Garden Lane, High Street, Hill Road, Lake Drive, Maple Avenue, Market Street, Mill Lane, Oak Street, Orchard Road, Park Avenue, River Road, Spring Street, Station Road, Valley Drive, Victoria Road, Willow Way',
  ),
  companies: list(
    'Alder Works, Blue Harbor, Brightline, Cedar & Sons, Clearfield, Copperleaf, Fernbank, Foxglove Labs, Granite Supply, Harbor Lane, Ironbridge, Juniper Group, Lantern Studio, Meridian Goods, Northwind, Oakhurst, Quarry Street, Redstone, Silver Birch, Wren & Co',
  ),
  adjectives: list(
    'bold, bright, calm, careful, clear, cosy, crisp, early, fair, fresh, gentle, golden, honest, kind, late, light, little, lively, local, long, modern, neat, new, open, plain, quick, quiet, rare, round, sharp, short, silver, simple, small, smooth, soft, steady, strong, sunny, tidy, warm, whole, wide, wild',
  ),
  nouns: list(
    'anchor, apple, basket, bench, book, bridge, candle, chair, clock, cloud, coat, corner, cup, door, engine, field, forest, garden, glass, harbor, house, island, journal, kettle, kitchen, ladder, lake, lamp, letter, market, meadow, mirror, morning, mountain, notebook, ocean, orchard, paper, path, pencil, picture, plan, river, road, room, shelf, station, stone, street, summer, table, teapot, ticket, tower, train, valley, village, window, winter, workshop',
  ),
  sentences: list(
    `It arrived on time and works as described.
    The first version was ready before the end of the week.
    We changed two small things and kept the rest.
    Nobody expected the queue to be this long.
    The team met on Tuesday and agreed on the next step.
    There is one more question that we have to answer.
    A short note at the door explains how to get in.
    Please check the numbers before you send them.
    The second attempt took half as long as the first.
    It looks plain, and that is why it lasts.
    Everybody who tried it wanted to keep it.
    We will write again when there is news.
    The old one still works, so there is no hurry.
    Most of the work happened in the last two days.
    A good map would have saved us an hour.
    The colors are warmer than in the pictures.
    It rained all day, but we finished anyway.
    The list is short because it is honest.
    You can change your mind until Friday.
    What is left fits into one box.`,
  ),
}

const de: WordList = {
  firstNames: list(
    'Anja, Anton, Ayşe, Birgit, Clara, Daniel, David, Elif, Emil, Emma, Eva, Felix, Finn, Frieda, Greta, Hannah, Heike, Henri, Ida, Jan, Jonas, Jürgen, Karl, Katrin, Lea, Lena, Leon, Lina, Lukas, Mara, Marie, Markus, Matteo, Maximilian, Mehmet, Mia, Nele, Noah, Olga, Paul, Petra, Sabine, Sophie, Stefan, Theo, Thomas, Tim, Uwe, Werner, Zeynep',
  ),
  lastNames: list(
    'Albrecht, Arnold, Bauer, Becker, Berger, Böhm, Braun, Busch, Demir, Dietrich, Engel, Fischer, Frank, Fuchs, Graf, Groß, Günther, Haas, Hahn, Hartmann, Heinrich, Hoffmann, Huber, Jung, Kaiser, Kaya, Keller, Klein, Koch, König, Köhler, Kraus, Krüger, Lang, Lehmann, Lorenz, Ludwig, Maier, Meyer, Möller, Müller, Neumann, Otto, Peters, Pohl, Richter, Roth, Schäfer, Schmidt, Schneider, Schulz, Schwarz, Simon, Sommer, Stein, Vogel, Vogt, Wagner, Weber, Wolf, Yılmaz, Ziegler, Zimmermann',
  ),
  cities: list(
    'Aachen, Augsburg, Bamberg, Bielefeld, Bochum, Bonn, Braunschweig, Bremen, Chemnitz, Darmstadt, Dresden, Erfurt, Essen, Freiburg, Göttingen, Halle, Hamburg, Hannover, Jena, Kassel, Kiel, Köln, Leipzig, Lübeck, Mainz, Mannheim, Münster, Nürnberg, Potsdam, Rostock, Stuttgart, Weimar, Würzburg',
  ),
  streets: list(
    'Ahornweg, Am Markt, Bahnhofstraße, Bergstraße, Birkenallee, Blumenstraße, Brunnengasse, Dorfstraße, Feldweg, Gartenstraße, Goethestraße, Hauptstraße, Kastanienallee, Kirchgasse, Lindenstraße, Mühlweg, Parkstraße, Ringstraße, Rosenweg, Schillerstraße, Schulstraße, Seestraße, Waldweg, Wiesenweg',
  ),
  companies: list(
    'Altmann & Söhne, Bergmann GmbH, Blaufeld, Brandt Werkzeuge, Elbwerk, Falken Logistik, Grünwald, Hafenkontor, Isar Technik, Kornblume, Lindenhof, Nordlicht, Oderland, Rabe & Partner, Rheinblick, Steinbrück, Tannberg, Uferwerk, Waldmeister, Zeitlos',
  ),
  adjectives: list(
    'alte, blaue, breite, bunte, ehrliche, einfache, feine, freie, frische, frühe, goldene, gute, große, helle, junge, kleine, klare, kurze, lange, leichte, leise, milde, moderne, neue, offene, ruhige, runde, schnelle, schöne, sonnige, späte, starke, stille, warme, weite, wilde, zarte',
  ),
  nouns: list(
    'Abend, Anker, Apfel, Bahnhof, Bank, Berg, Bild, Brief, Brücke, Buch, Dorf, Fenster, Feld, Garten, Glas, Hafen, Haus, Insel, Kanne, Karte, Kerze, Korb, Küche, Lampe, Leiter, Licht, Markt, Morgen, Mühle, Papier, Plan, Regal, Reise, Schiff, See, Sommer, Spiegel, Stein, Stift, Straße, Stuhl, Tal, Tasse, Tisch, Turm, Tür, Uhr, Wald, Weg, Werkstatt, Wiese, Winter, Wolke, Zug',
  ),
  sentences: list(
    `Alles kam pünktlich an und funktioniert wie beschrieben.
    Die erste Fassung war noch vor dem Wochenende fertig.
    Zwei Kleinigkeiten haben wir geändert.
    Niemand hatte mit so langen Schlangen gerechnet.
    Am Dienstag hat die Gruppe den nächsten Schritt beschlossen.
    Eine Frage bleibt noch offen.
    Ein Zettel an der Tür erklärt den Weg.
    Bitte prüfen Sie die Zahlen vor dem Versand.
    Der zweite Versuch dauerte nur halb so lang.
    Es sieht schlicht aus und hält deshalb lange.
    Wer es probiert hat, wollte es behalten.
    Wir melden uns, wenn es Neues gibt.
    Das alte Gerät läuft noch, es eilt also nicht.
    Die meiste Arbeit fiel in die letzten beiden Tage.
    Eine gute Karte hätte uns eine Stunde gespart.
    Die Farben sind wärmer als auf den Bildern.
    Es regnete den ganzen Tag und wir wurden trotzdem fertig.
    Die Liste ist kurz, weil sie ehrlich ist.
    Bis Freitag können Sie es sich anders überlegen.
    Der Rest passt in eine Kiste.`,
  ),
}

/** The built-in words by language. */
export const wordLists: Readonly<Record<string, WordList>> = { en: englishWords, de }
