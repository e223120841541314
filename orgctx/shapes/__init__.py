"""What goes in and out: fields, payloads, arguments, the envelope, their JSON Schema."""
