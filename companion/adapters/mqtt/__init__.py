"""The link of box and desk to an event's broker: MQTT 3.1.1 by aiomqtt, kept up for as long as it runs."""
