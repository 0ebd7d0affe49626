# Data, desktop entry and icon; the programs install themselves. The program finds specs beside itself: <prefix>/share/synperf/specs.
install(DIRECTORY specs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/synperf/specs)
install(DIRECTORY resources/models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/synperf/models)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(SYNPERF_BUILD_UI)
  install(FILES resources/synperf-explorer.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES resources/icons/synperf-explorer.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
