"""Inputs and outputs: fields, payloads, arguments, the envelope and their JSON Schema."""
