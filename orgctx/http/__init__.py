"""REST: the gate that every request passes, routes, answers, headers, health."""
