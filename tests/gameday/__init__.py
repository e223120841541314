"""A day on which everything breaks: python -m tests.gameday [--minutes 10] [--seed 1].

A fleet under the load of the soak, every answer checked, while each part is killed and restarted
once, in an order that the seed decides.
"""
