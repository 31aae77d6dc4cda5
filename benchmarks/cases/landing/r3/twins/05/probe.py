from reports.payroll import Payroll

text = Payroll([{"name": "Ada", "account": "DE0012345678", "amount": 1200}]).render()
assert "DE0012345678" not in text, text
assert "********5678" in text, text
