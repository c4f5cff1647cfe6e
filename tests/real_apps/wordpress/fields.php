<?php
// A plugin of the site: posts have three more fields, and no mail leaves it.

function wp_mail() {
	return true;
}

add_action(
	'init',
	function () {
		$mood = array( 'schema' => array( 'title' => 'Mood', 'enum' => array( 'calm', 'cheerful' ) ) );
		$fields = array(
			'mood'     => array( 'type' => 'string', 'show_in_rest' => $mood, 'default' => 'calm' ),
			'rating'   => array( 'type' => 'integer', 'show_in_rest' => true ),
			'reviewed' => array( 'type' => 'boolean', 'show_in_rest' => true ),
		);
		foreach ( $fields as $name => $field ) {
			register_post_meta( 'post', $name, $field + array( 'single' => true ) );
		}
	}
);
