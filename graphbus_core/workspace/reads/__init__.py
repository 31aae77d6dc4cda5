"""What a front end reads beside the opened project itself: a build in other forms, what is set, journals of runs.

exported   a build as AsyncAPI, OpenAPI, Mermaid or DOT
settled    the settings that hold, the policy, and the settings that `init` proposes
journals   the journals of runs: listed, read, and played back in a process of their own
plainly    what any Python project says of itself, without agents
"""
