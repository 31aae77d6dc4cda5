from fastapi import FastAPI
from agents.counter import STATS
app = FastAPI()
@app.get("/stats")
def show():
    return STATS
