"""The transport over NATS JetStream: `--bus nats://…`. Only this room imports nats-py, and only when it connects."""
