"""Convert files of word processors, browsers and e-book readers to Markdown."""
