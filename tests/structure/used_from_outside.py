"""Names that nothing in the package uses, and why each stays: vulture's allowlist, read by `test_structure.py`.

A line is `_.name`. Add one only when somebody outside the package uses the name: an author of nodes, a library that
calls it, a log that was written before. Code that only a test uses is deleted with its test.
"""

# ruff: noqa: F821, B018
# mypy: ignore-errors

# Authors of nodes and programs written for the seeds call these (tests/test_public_names.py, docs/).
_._graphbus_subscribe_topic
_._message_history
_.agents_count
_.analyze_code
_.arbitrate_conflict
_.aretry_dead_letters
_.cancel_build
_.clear_history
_.evaluate_proposal
_.event_router
_.get_agent_by_name
_.get_all_handlers
_.graphbus_sample
_.get_all_nodes
_.get_all_topics
_.get_handlers_for_topic
_.get_subscriptions
_.get_system_prompt
_.GraphBusGraph
_.handle_event
_.is_build_mode
_.is_runtime_mode
_.Logging
_.message_bus
_.NegotiationEngine
_.on_start
_.on_stop
_.openai_url
_.propose_improvement
_.purge_dead_letters
_.register_subscriptions
_.reset_stats
_.route_event_to_node
_.start_build
_.start_runtime
_.stop_runtime
_.Timing
_.topics_count
_.validate_artifacts

# The blocks and records of the seeds: every field is written to a file, few are read back by us.
_.code_understanding
_.committed_operations
_.consensus_type
_.counter_proposal
_.deferred_proposals
_.files_modified
_.first_at
_.impact_assessment
_.objected
_.pending_proposals
_.stopped_by
_.suggestions
_.thinking

# Python, pydantic, pytest, typer and Textual call these by name.
_.visit_JoinedStr
_.visit_Match
_.do_POST
_._take_whole_numbers
_.__eq__
_.__hash__
_.__init_subclass__
_.__repr__
_.action_clear
_.action_expand
_.action_search
_.action_step
_.BINDINGS
_.coerce
_.create_module
_.CSS
_.dont_write_bytecode
_.get_source
_.model_config
_.on_input_submitted
_.on_mount
_.on_tree_node_highlighted
_.show_root
_.tb

# HiGHS and jsonschema read what is set on their objects.
_.checkers
_.col_cost_
_.col_lower_
_.col_upper_
_.format_
_.index_
_.integrality_
_.num_col_
_.num_row_
_.row_lower_
_.row_upper_
_.sense_
_.start_
_.value_

# Middleware that people give: `middleware=[Idempotent()]`.
_.Idempotent

# Imported so that it is loaded (graphbus_core/services/build_command.py); what every solver is held against in tests
# (scenario.py).
_.is_permitted

# pytest calls the hooks of a plug-in by name and reads `shouldstop`; `tempfile` reads `tempdir`.
_.pytest_collection_modifyitems
_.pytest_runtest_call
_.pytest_runtest_makereport
_.pytest_runtest_protocol
_.shouldstop
_.tempdir

# pytest finds fixtures by name; the build's options are read by name, from one table (config.py).
_.graphbus_running
_.answer_timeout
_.journal_max
_.handler_timeout
_.backoff
_.stop_timeout
_.protect
_.max_cost
_.max_wall
_.allow_imports

# The standard library's HTTP server calls or reads these (runtime/telemetry/metrics_page.py).
_.daemon_threads
_.do_GET
_.log_message
_.no_message_bus

# Fields of the API's answers: pydantic reads them (http/schemas.py, api/v1/models).
_.nodes_count
_.purged
_.took_ms
_.files_changed
_.arbitration
_.committed_at
_.rounds_completed
_.superseded
_.commit_failed
_.withdrawn
_.total_proposals
_.built_at
_.messages_published
_.messages_delivered
_.payload_violations
_.messages_rejected
_.dead_letters_lost
_.consequences
_.course
_.total_subscriptions
_.nodes_active
_.nodes_broken
_.calls_failed
_.read_on
_.is_final
_.challenges
_.escalations

# Fields of bodies that the published documents show, and what tests or programs outside ask for by name
_._refuse_other_options
_._stats
_.build_decision
_.decided_by
_.dict_count
_.frontier
_.impossible
_.list_unsure_calls
_.ports
_.streamed
