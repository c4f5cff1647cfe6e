"""How the weights for prediction are made: data, training, quantising. None of this runs in the service."""
