<?php
// Has PHP's own server lead every path to WordPress, as a web server in front of it would.

define( 'ABSPATH', getenv( 'WORDPRESS_SITE' ) . '/' );
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
require ABSPATH . 'index.php';
