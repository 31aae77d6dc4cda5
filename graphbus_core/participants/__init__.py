"""Who answers: rules, models, people, recordings. Each module is imported only when such a one is seated."""
