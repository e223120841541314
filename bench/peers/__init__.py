"""The same service written in other ways, to compare with.

Each peer does what orgctx does for a request: counts the IP address, looks up the key, counts
key and organization, runs the same SQL, answers the same JSON with an ETag. What is a rule of
the service (exposure, freshness, previews, segments) is shared, because it is no framework's.
"""
