"""Convert exports and folders to bundle records, without a database.

Each importer is a module, or a package with a module `importer`, whose generator `records` yields
parents first and reports skipped input to a Report. `folder` serves the importers of folders; the
other modules here serve all of them.
"""
