from letters import salutation
salutation('Ada L')
