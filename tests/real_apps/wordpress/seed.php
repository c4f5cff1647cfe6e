<?php
// Sets WordPress up in an empty database, and prints one line of JSON with what tests must know of it: the application
// password of its administrator. Ada is an editor, Grace a contributor, who may write posts but not publish them.

define( 'WP_INSTALLING', true );
define( 'ABSPATH', getenv( 'WORDPRESS_SITE' ) . '/' );
$_SERVER['HTTP_HOST'] = parse_url( getenv( 'WORDPRESS_URL' ), PHP_URL_HOST );
require ABSPATH . 'wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

$administrator = wp_install( 'Test site', 'admin', 'admin@example.com', true, '', wp_generate_password() )['user_id'];
$wp_rewrite->set_permalink_structure( '/%postname%/' );
$wp_rewrite->flush_rules( false );

$people = array( 'ada' => array( 'Ada Lovelace', 'editor' ), 'grace' => array( 'Grace Hopper', 'contributor' ) );
foreach ( $people as $login => list( $name, $role ) ) {
	$person = array( 'user_login' => $login, 'display_name' => $name, 'role' => $role, 'user_pass' => wp_generate_password() );
	wp_insert_user( $person + array( 'user_email' => "$login@example.com" ) );
}

// More tags than two pages hold.
for ( $number = 1; $number <= 230; $number++ ) {
	wp_insert_term( sprintf( 'Tag %03d', $number ), 'post_tag' );
}

list( $password ) = WP_Application_Passwords::create_new_application_password( $administrator, array( 'name' => 'Tests' ) );
echo wp_json_encode( array( 'password' => $password ) ), "\n";
