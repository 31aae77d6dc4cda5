GREETING = "Dear $customer, you owe us $due francs."
