from graphbus_core import GraphBusNode, depends_on, schema_method


class Weather(GraphBusNode):
    sky = {"Thun": "rain", "Bern": "fog", "Chur": "sun"}

    @depends_on("Profile.defaults")
    @schema_method(input_schema={"place": str}, output_schema={"sky": str})
    def forecast(self, place):
        return {"sky": self.sky[place]}
