<?php
// The configuration of a WordPress to test with; everything that differs comes from the environment.

define( 'DB_HOST', 'localhost:' . getenv( 'WORDPRESS_DATABASE' ) );
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'WP_HOME', getenv( 'WORDPRESS_URL' ) );
define( 'WP_SITEURL', getenv( 'WORDPRESS_URL' ) );
foreach ( array( 'AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE' ) as $use ) {
	define( $use . '_KEY', hash( 'sha256', $use . getenv( 'WORDPRESS_SECRET' ) ) );
	define( $use . '_SALT', hash( 'sha256', getenv( 'WORDPRESS_SECRET' ) . $use ) );
}
// Elsewhere application passwords need https.
define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'DISABLE_WP_CRON', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );

$table_prefix = 'wp_';
require_once ABSPATH . 'wp-settings.php';
