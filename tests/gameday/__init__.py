"""A game day: python -m tests.gameday [--minutes 10] [--seed 1].

A fleet serves the load of the soak, and every answer is checked, while each part is killed and
restarted once. The seed decides the order.
"""
