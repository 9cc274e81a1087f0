/**
 * Fails every test class of every module that loses a Netty buffer. The folder is compiled into the tests of each module
 * (build-helper-maven-plugin), so there is one copy of it and no test artifact between the modules. Uses Netty and JUnit.
 */
@NullMarked
package io.scatterguard.tests.leaks;

import org.jspecify.annotations.NullMarked;
