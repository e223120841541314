"""What an import is: its importers, and how one runs. Knows neither click nor a terminal."""


class ImportFailed(Exception):
    """Nothing was imported. The message says why and what to do."""
