"""The slices: one folder for each resource, none of which knows another."""
