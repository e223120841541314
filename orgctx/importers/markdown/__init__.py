"""Convert folders of Markdown and other texts, as site generators and note apps keep them."""
