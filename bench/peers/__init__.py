"""The same service in other frameworks, as a comparison for `bench.compare`.

Each peer does the work of orgctx: it counts the IP address, looks up the key, counts the key and
the organization, runs the same SQL and returns the same JSON with an ETag. Rules of the service
(exposure, freshness, previews, segments) are imported from orgctx.
"""
