"""Convert folders of Markdown and other texts: sites, Obsidian vaults and Notion exports."""
