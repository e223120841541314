"""HTTP: the gate that every request passes, REST routes, answers, headers and health."""
