"""The demo: a drawn world, and its way from images to a release while people watch. Its annotators are simulated."""
