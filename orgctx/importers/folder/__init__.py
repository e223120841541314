"""Walk a folder and turn its files into documents, for the importers of folders."""
