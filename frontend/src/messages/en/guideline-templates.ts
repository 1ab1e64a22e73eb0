export const english = {
  meaningsName: 'Captions with many meanings',
  meaningsDetail: 'Literal and figurative captions are good.',
  meaningsText: `# What is good

A caption is **good** if a person could say it about this image. It can describe what one sees. It can also be a metaphor, a joke or a feeling.

# What is bad

A caption is **bad** if it says something wrong. For example, it names an object that is not there, or it counts wrong.

# When to answer unsure

Answer **unsure** if you do not know a name or a place in the caption.

# Examples

The image shows an empty bench in the rain.

* “A wet bench in a park.” Good: it describes the image.
* “Waiting is a lonely work.” Good: it is a metaphor for the image.
* “Two children sit on a bench.” Bad: nobody sits there.
`,
  literalName: 'Literal descriptions',
  literalDetail: 'A caption is good only if the image shows all of it.',
  literalText: `# What is good

A caption is **good** if the image shows everything that it says.

# What is bad

A caption is **bad** if one part of it is wrong or cannot be seen. Feelings and guesses are bad too.

# When to answer unsure

Answer **unsure** if the image is too small or too dark to decide.

# Examples

The image shows a red bicycle in front of a wall.

* “A red bicycle near a wall.” Good: the image shows all of it.
* “A blue bicycle near a wall.” Bad: the colour is wrong.
* “Someone left in a hurry.” Bad: the image does not show it.
`,
  queryName: 'Images for a text',
  queryDetail: 'An image is relevant if the text fits it.',
  queryText: `# What is relevant

An image is **relevant** if a person could say the text about it.

# What is irrelevant

An image is **irrelevant** if the text does not fit it. It is also irrelevant if the text fits only a small detail.

# When to answer unsure

Answer **unsure** if you do not understand the text.

# Examples

The text is “A quiet place to wait”.

* An empty bench in a park. Relevant: one can wait there quietly.
* A railway station at night, with nobody there. Relevant.
* A crowded market. Irrelevant: it is not quiet.
`,
} as const
