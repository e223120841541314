"""A database that Citus distributes, on the cluster of ORGCTX_TEST_CITUS_URL."""
