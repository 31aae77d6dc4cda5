from orchestra.people import Conductor, Orchestra
