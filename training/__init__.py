"""How the weights of the prediction are made: data, training, quantising. Nothing of this runs in the service."""
