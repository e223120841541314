"""Walk folders and turn their files into documents: ids, parts, renames, dates."""
